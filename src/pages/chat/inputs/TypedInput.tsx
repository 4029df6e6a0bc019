/** Asks for a line of text, such as an email address or a URL. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { InputOf, InputType } from "../payload.ts"
import type { TextName, Texts } from "../texts/texts.ts"
import { AskForm, type InputProps, SendButton, useTyped } from "./parts.tsx"
import { type Check, checkAddress } from "./problems.ts"

type OptionOf<T extends InputType> = keyof NonNullable<InputOf<T>["options"]>

/** The inputs with the same options as an email address: they only need a field. */
export type TypedType = {
  [T in InputType]: OptionOf<T> extends OptionOf<"email input"> ? T : never
}[InputType]

type Field = {
  /** Decides which keyboard is offered and what the browser may fill in. */
  kind?: "email" | "url"
  /** Shown unless the author has set a placeholder. */
  placeholder: TextName
  /** Finds a mistake before the answer is sent; absent: only the service does. */
  check?(texts: Texts): Check
}

const fields: { readonly [T in TypedType]?: Field } = {
  "email input": { kind: "email", placeholder: "typeEmail" },
  "url input": { kind: "url", placeholder: "typeUrl", check: checkAddress },
}

export function TypedInput({ input }: InputProps<TypedType>): VNode {
  const { answer, texts } = useChat()
  const { kind, placeholder, check }: Field = fields[input.type] ?? { placeholder: "typeAnswer" }
  const { labels, retryMessageContent } = input.options ?? {}
  const { typed, field } = useTyped(input, texts[placeholder])
  const send = () => answer({ message: { type: "text", text: typed }, shown: typed })
  return (
    <AskForm
      onSubmit={send}
      isEmpty={typed === ""}
      // The author's own words about a mistake come from the service.
      {...(typed && check && !retryMessageContent && { check: check(texts) })}
      class="typed"
    >
      <input
        {...field}
        class="field"
        type="text"
        inputMode={kind}
        autoComplete={kind ?? "off"}
        // Keyboards must not autocorrect an address.
        {...(kind && { autoCapitalize: "none", autoCorrect: "off", spellcheck: false })}
      />
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

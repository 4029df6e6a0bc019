/** Asks for an email address or a URL. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import { texts } from "../texts.ts"
import { AskForm, type InputProps, SendButton, usePrefilled } from "./parts.tsx"
import { type Check, checkAddress } from "./problems.ts"
import { useDraft } from "./useDraft.ts"

type TypedType = "email input" | "url input"

type Field = {
  /** Decides which keyboard is offered and what the browser may fill in. */
  kind: "email" | "url"
  /** Shown unless the author has set a placeholder. */
  placeholder: string
  /** Finds a mistake before the answer is sent; absent: only the service does. */
  check?: Check
}

const fields: { readonly [T in TypedType]: Field } = {
  "email input": { kind: "email", placeholder: "Type your email..." },
  "url input": { kind: "url", placeholder: "Type a URL...", check: checkAddress },
}

export function TypedInput({ input }: InputProps<TypedType>): VNode {
  const { answer } = useChat()
  const { kind, placeholder, check } = fields[input.type]
  const { labels, retryMessageContent } = input.options ?? {}
  const [text, setText] = useDraft(input, "text", usePrefilled(input))
  const typed = text.trim()
  const hint = labels?.placeholder ?? placeholder
  const send = () => answer({ message: { type: "text", text: typed }, shown: typed })
  return (
    <AskForm
      onSubmit={send}
      isEmpty={typed === ""}
      // The author's own words about a mistake come from the service.
      {...(typed && check && !retryMessageContent && { check })}
      class="typed"
    >
      <input
        class="field"
        type="text"
        inputMode={kind}
        autoComplete={kind}
        value={text}
        placeholder={hint}
        aria-label={hint || texts.yourAnswer}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

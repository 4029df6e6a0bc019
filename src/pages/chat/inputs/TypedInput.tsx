/** Asks for an email address or a URL. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { texts } from "../texts.ts"
import { AskForm, SendButton, usePrefilled } from "./parts.tsx"
import { checkAddress } from "./problems.ts"
import { useDraft } from "./useDraft.ts"

type Props = {
  input: InputOf<"email input" | "url input">
  /** Shown unless the author has set a placeholder. */
  placeholder: string
  /** Decides which keyboard is offered and what the browser may fill in. */
  kind: "email" | "url"
}

export function TypedInput({ input, placeholder, kind }: Props): VNode {
  const { answer } = useChat()
  const { labels, retryMessageContent } = input.options ?? {}
  // Words of the author about addresses that are none come from the service.
  const check = kind === "url" && !retryMessageContent ? checkAddress : undefined
  const [text, setText] = useDraft(input, "text", usePrefilled(input))
  const typed = text.trim()
  const hint = labels?.placeholder ?? placeholder
  const send = () => answer({ message: { type: "text", text: typed }, shown: typed })
  return (
    <AskForm
      onSubmit={send}
      isEmpty={typed === ""}
      {...(typed && check && { check })}
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

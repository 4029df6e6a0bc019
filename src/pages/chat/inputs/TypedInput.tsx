/** Asks for one line to type. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { texts } from "../texts.ts"
import { AskForm, SendButton, useFirstFocus, usePrefilled } from "./parts.tsx"

type Typed = InputOf<"email input" | "url input">

type Props = {
  input: Typed
  /** What the author's own words stand in for. */
  placeholder: string
  /** What it is: the keyboard to offer, and what the browser may fill in. */
  kind: "email" | "url"
}

export function TypedInput({ input, placeholder, kind }: Props): VNode {
  const { answer } = useChat()
  const { labels } = input.options ?? {}
  const [text, setText] = useState(usePrefilled(input))
  const first = useFirstFocus<HTMLInputElement>()
  const hint = labels?.placeholder ?? placeholder
  const send = () => {
    if (text.trim() === "") return first.current?.focus()
    answer({ message: { type: "text", text: text.trim() }, shown: text.trim() })
  }
  return (
    <AskForm onSubmit={send} class="typed">
      <input
        ref={first}
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

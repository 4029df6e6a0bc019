/** What several inputs are made of. */
import type { ComponentChildren, TargetedSubmitEvent, VNode } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { ChatInput, InputOf, InputType } from "../payload.ts"
import { texts } from "../texts.ts"

/** What every input is given. */
export type InputProps<T extends InputType> = { input: InputOf<T> }

type ButtonProps = { label?: string | undefined; disabled?: boolean }

/** The button that sends an answer. */
export function SendButton({ label, disabled }: ButtonProps): VNode {
  return (
    <button type="submit" class="button send" disabled={disabled}>
      {label || texts.send}
    </button>
  )
}

type FormProps = { onSubmit(): void; children: ComponentChildren; class?: string; label?: string }

/** The box of an input; a submit never loads a page. */
export function AskForm({ onSubmit, children, class: name = "", label }: FormProps): VNode {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form class={`ask ${name}`} onSubmit={submit} aria-label={label ?? texts.yourAnswer} noValidate>
      {children}
    </form>
  )
}

/** Moves the focus to the first part of an input, when the person is already at the chat. */
export function useFirstFocus<T extends HTMLElement>() {
  const first = useRef<T>(null)
  const { takesFocus } = useChat()
  useEffect(() => {
    if (takesFocus()) first.current?.focus({ preventScroll: true })
  }, [])
  return first
}

/** The value that an input shows at first: the known one, where the author wants it shown. */
export function usePrefilled(input: ChatInput): string {
  const { bot } = useChat()
  return bot.settings.general?.isInputPrefillEnabled ? (input.prefilledValue ?? "") : ""
}

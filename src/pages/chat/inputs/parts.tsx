/** The building blocks that inputs share. */
import type { ComponentChildren, TargetedSubmitEvent, VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { ChatInput, InputOf, InputType } from "../payload.ts"
import { texts } from "../texts.ts"

/** The props of every input. */
export type InputProps<T extends InputType> = { input: InputOf<T> }

type SendProps = { label?: string | undefined; disabled?: boolean }

/** The button that sends an answer. */
export function SendButton({ label, disabled }: SendProps): VNode {
  return (
    <button type="submit" class="button send" disabled={disabled}>
      {label || texts.send}
    </button>
  )
}

type IconProps = { label: string; onClick(): void; children: ComponentChildren }

/** A button with an icon instead of words. */
export function IconButton({ label, onClick, children }: IconProps): VNode {
  return (
    <button
      type="button"
      class="button plain icon"
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

type FormProps = {
  onSubmit(): void
  /** Nothing has been entered: submitting only moves the focus to the first field. */
  isEmpty?: boolean
  children: ComponentChildren
  class?: string
  label?: string
}

/** The form around an input. Submitting it never loads a page. */
export function AskForm({ onSubmit, isEmpty, children, class: name, label }: FormProps): VNode {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isEmpty) firstField(event.currentTarget)?.focus()
    else onSubmit()
  }
  return (
    <form class={`ask ${name}`} onSubmit={submit} aria-label={label ?? texts.yourAnswer} noValidate>
      {children}
    </form>
  )
}

/** The field or button of an input that gets the focus first; null where the input has none of ours. */
export function firstField(box: ParentNode): HTMLElement | null {
  return box.querySelector("input:not([hidden]), textarea, :is(fieldset, .cards, .marks) button")
}

/** The value that an input shows at first: the known one, if the author wants it shown. */
export function usePrefilled(input: ChatInput): string {
  const { bot } = useChat()
  return bot.settings.general?.isInputPrefillEnabled ? (input.prefilledValue ?? "") : ""
}

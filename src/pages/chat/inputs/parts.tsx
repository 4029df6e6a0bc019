/** The building blocks that inputs share. */
import type {
  ComponentChildren,
  TargetedInputEvent,
  TargetedMouseEvent,
  TargetedSubmitEvent,
  VNode,
} from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { ChatInput, InputOf, InputType } from "../payload.ts"
import { keepDraft } from "../talk/talk.ts"
import { signTyping } from "../talk/team.ts"
import type { Check } from "./problems.ts"

export type InputProps<T extends InputType> = { input: InputOf<T> }

type SendProps = { label?: string | undefined; disabled?: boolean }

export function SendButton({ label, disabled }: SendProps): VNode {
  const { texts } = useChat()
  return (
    <button type="submit" class="button send" disabled={disabled}>
      {label || texts.send}
    </button>
  )
}

type IconProps = { label: string; onClick(): void; children: ComponentChildren }

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
  /** Finds the problem of a field; the first one is shown, and nothing is sent. */
  check?: Check
  children: ComponentChildren
  class?: string
  label?: string
}

/** The form around an input. Submitting it never loads a page. */
export function AskForm(props: FormProps): VNode {
  const { onSubmit, isEmpty, check, children, class: name, label } = props
  const { texts } = useChat()
  const [problem, setProblem] = useState<string>()
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const field = [...form.querySelectorAll("input")].find((each) => check?.(each))
    setProblem(field && check?.(field))
    for (const each of form.querySelectorAll("input")) mark(each, each === field)
    if (field) field.focus()
    else if (isEmpty) firstField(form)?.focus()
    else onSubmit()
  }
  return (
    <form
      class={`ask ${name}`}
      onSubmit={submit}
      onInput={({ target }) => {
        setProblem(undefined)
        if (target instanceof HTMLInputElement) mark(target, false)
      }}
      aria-label={label ?? texts.yourAnswer}
      noValidate
    >
      {children}
      {problem && (
        <p id={problemId} class="problem" role="alert">
          <span>{problem}</span>
        </p>
      )}
    </form>
  )
}

const problemId = "problem"

/** Marks a field with the problem for screen readers. */
function mark(field: HTMLInputElement, isWrong: boolean): void {
  field.toggleAttribute("aria-describedby", false)
  field.toggleAttribute("aria-invalid", false)
  if (!isWrong) return
  field.setAttribute("aria-invalid", "true")
  field.setAttribute("aria-describedby", problemId)
}

/** The field or button of an input that gets the focus first; null where the input has none of ours. */
export function firstField(box: ParentNode): HTMLElement | null {
  return box.querySelector("input:not([hidden]), textarea, :is(fieldset, .cards, .marks) button")
}

/** Moves the focus from a disappearing button to the first field of its form, after a key press. */
export function leaveButton({ detail, currentTarget }: TargetedMouseEvent<HTMLElement>): void {
  const form = currentTarget.closest("form")
  // A press of a pointer has a count; it leaves the focus, which would open the keyboard of a phone.
  if (form && detail === 0) firstField(form)?.focus()
}

/** The value that an input shows at first: the known one, if the author wants it shown. */
export function usePrefilled(input: Pick<ChatInput, "prefilledValue">): string {
  const { bot } = useChat()
  return bot.settings.general?.isInputPrefillEnabled ? (input.prefilledValue ?? "") : ""
}

/**
 * As `useState`, under a name of its own within the input, for state that a refusal or a reload must not
 * lose.
 */
export function useDraft<T>(input: { id: string }, name: string, initial: T) {
  const { talk } = useChat()
  const known = talk.draft?.blockId === input.id ? talk.draft.values[name] : undefined
  const [value, setValue] = useState(known === undefined ? initial : (known as T))
  const change = (next: T) => {
    setValue(next)
    keepDraft(talk, input.id, { [name]: next })
    signTyping(talk)
  }
  return [value, change] as const
}

type Typed = Pick<InputOf<"email input">, "id" | "options" | "prefilledValue">

/**
 * The typed text of a field, and the field. `usualHint`: default placeholder; `initial`: replaces the known
 * value at first.
 */
export function useTyped(input: Typed, usualHint: string, initial?: string) {
  const { texts } = useChat()
  const known = usePrefilled(input)
  const [text, setText] = useDraft(input, "text", initial ?? known)
  const hint = input.options?.labels?.placeholder ?? usualHint
  const field = {
    value: text,
    placeholder: hint,
    "aria-label": hint || texts.yourAnswer,
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      setText(currentTarget.value),
  }
  return { typed: text.trim(), field }
}

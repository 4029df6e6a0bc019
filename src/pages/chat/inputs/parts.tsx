/** What several inputs are made of. */
import type { ComponentChildren, TargetedSubmitEvent, VNode } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { SearchIcon } from "../icons.tsx"
import type { ChatInput } from "../payload.ts"
import { texts } from "../texts.ts"

/** The button that sends an answer. */
export function SendButton({
  label,
  disabled,
}: {
  label?: string | undefined
  disabled?: boolean
}): VNode {
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

type SearchProps = {
  placeholder?: string | undefined
  onSearch(words: string): void
  count: number
}

/** A field that narrows choices down. */
export function SearchField({ placeholder, onSearch, count }: SearchProps): VNode {
  const label = placeholder || texts.search
  const first = useFirstFocus<HTMLInputElement>()
  return (
    <div class="search field">
      <SearchIcon />
      <input
        ref={first}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      <span class="for-readers" role="status">
        {count === 0 ? texts.noMatch : ""}
      </span>
    </div>
  )
}

/** Whether a text holds all the words that were searched for, whatever their case and accents. */
export function matches(words: string, ...parts: (string | null | undefined)[]): boolean {
  const text = fold(parts.filter(Boolean).join(" "))
  return fold(words)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
}

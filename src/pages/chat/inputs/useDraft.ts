/** State of an input that outlives a refused answer, and a reload where the bot remembers people. */
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { keepDraft } from "../talk/talk.ts"

/** As `useState`, under a name of its own within the input. */
export function useDraft<T>(input: { id: string }, name: string, initial: T) {
  const { talk } = useChat()
  const known = talk.draft?.blockId === input.id ? talk.draft.values[name] : undefined
  const [value, setValue] = useState(known === undefined ? initial : (known as T))
  const change = (next: T) => {
    setValue(next)
    keepDraft(talk, input.id, { [name]: next })
  }
  return [value, change] as const
}

/** Finds which choices a free text names: by id, internal value, label or position. */
import { readSentence, spendPhrases } from "./phrases.ts"

/** What a choice may be called; `value` is the internal value, absent when it has none. */
export type Names = { id: string; value?: string | undefined; label: string }

/**
 * The choices that a text names, in the order given. Ids are looked for first, then values, labels
 * and 1-based positions, longer phrases before shorter ones; words that named one are used up. Case
 * and the amount of white space do not matter; a phrase never matches within a word. Of two choices
 * of one name the first is meant.
 */
export function namedChoices<T extends Names>(choices: readonly T[], text: string): T[] {
  const sentence = readSentence(text)
  const named = new Set<number>()
  for (const nameOf of ways) {
    for (const index of spendPhrases(sentence, choices.map(nameOf))) named.add(index)
  }
  return choices.filter((_, index) => named.has(index))
}

const ways: ((choice: Names, index: number) => string)[] = [
  (choice) => choice.id,
  (choice) => choice.value ?? "",
  (choice) => choice.label,
  (_, index) => String(index + 1),
]

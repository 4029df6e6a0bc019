/** Judges a reply to a question with choices to click. */
import { type Fuel, judgingUnits, readingUnits, spend } from "../../budget/fuel.ts"
import type { Message } from "../../schema/message.ts"
import type { Verdict } from "../block.ts"
import { readSentence, spendPhrases } from "./phrases.ts"

/** The names that a choice goes by; `value` is its internal value, absent when it has none. */
export type Names = { id: string; value?: string | undefined; label: string }

/** A choice as it was shown. */
type Choice = Names & { outgoingEdgeId?: string | undefined }

type Question = {
  choices: Choice[]
  /** Absent: one choice is wanted. */
  isMultipleChoice?: boolean | undefined
  /** The author's items under their present labels, shown or not; an edge of theirs is the fallback. */
  stored: { label: string; outgoingEdgeId?: string | undefined }[]
}

/** What a reply chooses; one that is not a text, or names nothing, is asked for again. */
export function judgeChoice(question: Question, message: Message | undefined, fuel: Fuel): Verdict {
  if (message?.type !== "text") return "retry"
  for (const { id, value, label } of question.choices) {
    const names = [id, value ?? "", label]
    // A single choice is compared with the reply; several are searched for within it.
    for (const name of names) {
      spend(fuel, question.isMultipleChoice ? judgingUnits(name) : readingUnits(name.length))
    }
  }
  if (question.isMultipleChoice) return judgeMany(question.choices, message.text, fuel)
  const chosen = chosenOne(question.choices, message.text, message.metadata?.replyId)
  const accept = chosen && (chosen.value || chosen.label)
  if (!accept) return "retry"
  const namesake = question.stored.find((item) => item.label === accept)
  return { accept, edge: chosen.outgoingEdgeId ?? namesake?.outgoingEdgeId }
}

function judgeMany(choices: Choice[], text: string, fuel: Fuel): Verdict {
  const named = namedChoices(choices, text, fuel)
  const blank = choices.find(({ value }) => text !== "" && value === text)
  const chosen = named.length === 0 && blank ? [blank] : named
  if (chosen.length === 0) return "retry"
  return { accept: chosen.map((choice) => choice.value || choice.label.trim()).join(", ") }
}

/**
 * Longer labels are tried first, each by internal value and label; case matters. An id counts last: those
 * of dynamic pictures are positions, which titles may look like.
 */
function chosenOne(choices: Choice[], text: string, replyId?: string): Choice | undefined {
  // A click names one item, though others may share the value that is sent with it.
  const clicked = choices.find(({ id }) => id === replyId)
  if (clicked) return clicked
  const said = text.trim().normalize()
  // Clients send the value of the chosen item, even a blank one.
  const isSaid = (name: string | undefined) =>
    said === "" ? text !== "" && name === text : name?.trim().normalize() === said
  return (
    choices
      .toSorted((one, other) => other.label.length - one.label.length)
      .find(({ value, label }) => isSaid(value) || isSaid(label)) ??
    choices.find(({ id }) => id === text)
  )
}

/**
 * The choices that a text names, in the order given. A list of nothing but names is taken at its word. In
 * any other text ids are looked for first, then values, labels and 1-based positions, longer phrases
 * before shorter ones; words that named one are used up. Case and the amount of white space do not
 * matter; a phrase never matches within a word. Of two choices with the same name, the first is meant.
 */
export function namedChoices<T extends Names>(
  choices: readonly T[],
  text: string,
  fuel: Fuel,
): T[] {
  const listed = listedChoices(choices, text, fuel)
  if (listed) return choices.filter((choice) => listed.has(choice))
  const sentence = readSentence(text)
  const named = new Set<number>()
  for (const nameOf of namings) {
    for (const index of spendPhrases(sentence, choices.map(nameOf))) named.add(index)
  }
  return choices.filter((_, index) => named.has(index))
}

/** What clients put between the choices that they send. */
const separator = ", "

/** The longest name that is looked for in a list, in parts between separators. */
const maxParts = 20

/**
 * The choices of a list as clients make it of values, labels or ids, longer names first: a name is no place
 * to look for others in, as for `1` in `1 bed`. Undefined when something else is in the text.
 */
function listedChoices<T extends Names>(
  choices: readonly T[],
  text: string,
  fuel: Fuel,
): Set<T> | undefined {
  const byName = new Map<string, T>()
  let longest = 1
  let totalParts = 0
  // The first is what clients send.
  for (const nameOf of [sentName, labelName, idName]) {
    for (const choice of choices) {
      const name = nameOf(choice).trim().normalize()
      if (name !== "" && !byName.has(name)) byName.set(name, choice)
      const { length } = name.split(separator)
      longest = Math.min(Math.max(longest, length), maxParts)
      totalParts += length
    }
  }
  const parts = text.normalize().split(separator)
  // No list has a choice twice; others would take long, for each part that begins a long name.
  if (parts.length > totalParts) return undefined
  const listed = new Set<T>()
  const choiceAt = (from: number, to: number) =>
    byName.get(parts.slice(from, to).join(separator).trim())
  for (let from = 0, to = 0; from < parts.length; from = to) {
    // Each shorter name is put together anew.
    spend(fuel, (longest * longest) >> 1)
    to = Math.min(from + longest, parts.length)
    while (to > from + 1 && !choiceAt(from, to)) to -= 1
    const choice = choiceAt(from, to)
    if (!choice) return undefined
    listed.add(choice)
  }
  return listed
}

const sentName = ({ value, label }: Names) => value || label
const labelName = ({ label }: Names) => label
const idName = ({ id }: Names) => id

const namings: ((choice: Names, index: number) => string)[] = [
  (choice) => choice.id,
  (choice) => choice.value ?? "",
  (choice) => choice.label,
  (_, index) => String(index + 1),
]

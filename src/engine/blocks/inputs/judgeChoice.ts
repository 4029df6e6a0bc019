/** Judges a reply to a question with choices to click. */
import { type Fuel, judgingUnits, readingUnits, spend } from "../../budget/fuel.ts"
import type { Message } from "../../schema/message.ts"
import type { Verdict } from "../block.ts"
import { readSentence, spendPhrases } from "./phrases.ts"

/** The names of a choice; `value` is its internal value, if any. */
export type Names = { id: string; value?: string | undefined; label: string }

type Choice = Names & { outgoingEdgeId?: string | undefined }

type Question = {
  choices: Choice[]
  /** Absent: a single choice. */
  isMultipleChoice?: boolean | undefined
  /** The author's items under their current labels, displayed or not, for edges as a fallback. */
  stored: { label: string; outgoingEdgeId?: string | undefined }[]
}

/** Judges the chosen items; replies without text or without a choice are asked again. */
export function judgeChoice(question: Question, message: Message | undefined, fuel: Fuel): Verdict {
  if (message?.type !== "text") return "retry"
  for (const { id, value, label } of question.choices) {
    const names = [id, value ?? "", label]
    // A single choice is compared with the reply; multiple choices are searched in it.
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
 * Tries longer labels first, each by internal value and label; case matters. Ids come last: those of dynamic
 * pictures are positions, which titles may resemble.
 */
function chosenOne(choices: Choice[], text: string, replyId?: string): Choice | undefined {
  // A click identifies one item, even if others share its value.
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
 * The choices that a text names, in the order given. A list of names only is read literally. Any other text
 * is searched for ids first, then values, labels and 1-based positions, longer phrases before shorter ones;
 * matched words are used up. Case and the amount of white space do not matter; a phrase never matches within
 * a word. Of two choices with the same name, the first wins.
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

/** Separator of choices in replies of clients. */
const separator = ", "

/** Max parts, between separators, of a name in a list. */
const maxParts = 20

/**
 * Reads a client's list of values, labels or ids, longer names first: `1 bed` does not contain the choice
 * `1`. Undefined when the text has anything else.
 */
function listedChoices<T extends Names>(choices: readonly T[], text: string, fuel: Fuel) {
  const byName = new Map<string, T>()
  let longest = 1
  let totalParts = 0
  // Clients send the first.
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
  // A list has each choice once. Longer texts would be slow, for each part that begins a long name.
  if (parts.length > totalParts) return undefined
  const listed = new Set<T>()
  const choiceAt = (from: number, to: number) =>
    byName.get(parts.slice(from, to).join(separator).trim())
  for (let from = 0, to = 0; from < parts.length; from = to) {
    // Each shorter name is joined anew.
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

/** The words that say in a test what a person chose, as people would say it. */
import type { Message } from "../../engine/schema/message.ts"
import { type ChatInput, type Choice, choicesOf } from "./choices.ts"

/**
 * A test names choices by words alone: their labels, or their ids where a label would mean another choice
 * as well.
 */
export function inWords(input: ChatInput | undefined, message: Message): Message {
  if (message.type !== "text" || !input) return message
  const { text, metadata, ...rest } = message
  // Buttons of cards are known by their ids alone.
  const choices = choicesOf(input).filter(({ of }) => of === undefined)
  const ids = text.split(", ")
  const several = choices.filter(({ id }) => ids.includes(id))
  if (several.length > 0 && several.length === ids.length) {
    return { ...rest, text: labelsOf(several, choices) ?? text }
  }
  const chosen = choices.find(({ id }) => id === metadata?.replyId)
  if (!chosen) return { ...rest, text }
  const [only, ...others] = choices.filter(({ id, value, label }) =>
    [id, value, label].some((name) => name.trim() === chosen.label.trim()),
  )
  const isClear = only === chosen && others.length === 0 && chosen.label.trim() !== ""
  return { ...rest, text: isClear ? chosen.label : chosen.id }
}

/** The labels of several choices; undefined where they name another one, or one by its number. */
function labelsOf(chosen: readonly Choice[], choices: readonly Choice[]): string | undefined {
  const labels = chosen.map(({ label }) => label).join(", ")
  const said = labels.toLowerCase()
  const others = choices.filter((each) => !chosen.includes(each))
  const isMisread = others.some(({ id, value, label }) =>
    [id, value, label].some((name) => name !== "" && said.includes(name.toLowerCase())),
  )
  return isMisread || /\d/.test(labels) || chosen.some(({ label }) => !label.trim())
    ? undefined
    : labels
}

/** The words that say in a test what a person chose, as people would say it. */
import type { ChatInput } from "../../engine/chatInput.ts"
import type { Message } from "../../engine/schema/message.ts"

type Names = { id: string; value: string; label: string }

/**
 * A test names choices by words alone: their labels, or their ids where a label would mean another choice
 * as well.
 */
export function inWords(input: ChatInput | undefined, message: Message): Message {
  if (message.type !== "text" || !input) return message
  const { text, metadata, ...rest } = message
  const choices = namesOf(input)
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
function labelsOf(chosen: readonly Names[], choices: readonly Names[]): string | undefined {
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

/** Buttons of cards are known by their ids alone. */
function namesOf(input: ChatInput): Names[] {
  switch (input.type) {
    case "choice input":
      return (input.items ?? []).map(({ id, content, value }) => names(id, content, value))
    case "picture choice input":
      return (input.items ?? []).map(({ id, title, pictureSrc, value }) =>
        names(id, title ?? pictureSrc, value),
      )
    default:
      return []
  }
}

function names(id: string, label = "", value = ""): Names {
  return { id, label, value }
}

/** The choices that a person makes by number, and the replies that they stand for. */
import type { ParleyInputs, ParleyOutputs } from "../../client.ts"

/** A question of a chat, as the service sends it. */
export type ChatInput = NonNullable<ParleyOutputs["chat"]["continue"]["input"]>

/** What is sent back to the chat. */
type Reply = NonNullable<ParleyInputs["chat"]["continue"]["message"]>

/** Something to choose. */
export type Choice = {
  label: string
  /** More lines about it: descriptions, addresses of pictures. */
  details: string[]
  /** Names it in a reply. */
  id: string
  /** What its item stores when it is chosen; "": its label. */
  value: string
  /** Sent if it is the only choice. */
  text: string
}

/** The choices of an input, in order; none if it takes free text. */
export function choicesOf(input: ChatInput): Choice[] {
  switch (input.type) {
    case "choice input":
      return (input.items ?? []).map(({ id, content = "", value }) =>
        choice({ id, value }, content),
      )
    case "picture choice input":
      return (input.items ?? []).map(({ id, value, title, pictureSrc, description }) =>
        choice({ id, value }, title ?? pictureSrc ?? "", [description, pictureSrc]),
      )
    case "cards":
      return (input.items ?? []).flatMap(({ title, description, imageUrl, paths = [] }) =>
        paths.map(({ id, text }) => {
          return { ...choice({ id }, joined(title, text), [description, imageUrl]), text: id }
        }),
      )
    default:
      return []
  }
}

/** A typed line as a reply: numbers stand for choices, an empty line for the prefilled value. */
export function readReply(input: ChatInput, line: string): Reply {
  const typed = line.trim()
  if (typed === "" && input.prefilledValue !== undefined) {
    return { type: "text", text: input.prefilledValue }
  }
  const choices = choicesOf(input)
  const chosen = typed.split(",").map((part) => choiceAt(choices, part.trim()))
  const [first] = chosen
  if (choices.length === 0 || first === undefined) return { type: "text", text: line }
  if (chosen.length === 1 && !takesSeveral(input)) {
    return { type: "text", text: first.text, metadata: { replyId: first.id } }
  }
  const ids = chosen.flatMap((each) => (each === undefined ? [] : each.id))
  const isWhole = takesSeveral(input) && ids.length === chosen.length
  return { type: "text", text: isWhole ? ids.join(", ") : line }
}

/** Whether a reply may have several choices. */
export function takesSeveral(input: ChatInput): boolean {
  const isChoice = input.type === "choice input" || input.type === "picture choice input"
  return isChoice && input.options?.isMultipleChoice === true
}

function choiceAt(choices: readonly Choice[], number: string): Choice | undefined {
  return /^\d{1,4}$/.test(number) ? choices[Number(number) - 1] : undefined
}

type Texts = (string | null | undefined)[]

function choice(
  { id, value = "" }: { id: string; value?: string | undefined },
  label: string,
  details: Texts = [],
): Choice {
  const lines = details.filter((line) => typeof line === "string" && line !== "" && line !== label)
  return { id, value, label, text: label, details: lines as string[] }
}

function joined(...parts: Texts): string {
  return parts.filter((part) => typeof part === "string" && part !== "").join(": ")
}

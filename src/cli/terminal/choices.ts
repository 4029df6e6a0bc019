/** The choices that a person makes by number, and the replies that they stand for. */
import type { ParleyInputs, ParleyOutputs } from "../../client.ts"
import type { Offer } from "../../engine/blocks/block.ts"
import { offersOf } from "../../engine/blocks/registry.ts"
import { pick } from "../../lib/foreignJson.ts"

/** A question of a chat, as the service sends it. */
export type ChatInput = NonNullable<ParleyOutputs["chat"]["continue"]["input"]>

/** What is sent back to the chat. */
type Reply = NonNullable<ParleyInputs["chat"]["continue"]["message"]>

/** Something to choose. */
export type Choice = Offer

/** The choices of an input, in order; none if it takes free text. */
export function choicesOf(input: ChatInput): Choice[] {
  return offersOf(input) ?? []
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
    return { type: "text", text: first.reply, metadata: { replyId: first.id } }
  }
  const ids = chosen.flatMap((each) => (each === undefined ? [] : each.id))
  const isWhole = takesSeveral(input) && ids.length === chosen.length
  return { type: "text", text: isWhole ? ids.join(", ") : line }
}

/** Whether a reply may have several choices. */
export function takesSeveral(input: ChatInput): boolean {
  return pick(input, "options", "isMultipleChoice") === true && choicesOf(input).length > 0
}

function choiceAt(choices: readonly Choice[], number: string): Choice | undefined {
  return /^\d{1,4}$/.test(number) ? choices[Number(number) - 1] : undefined
}

/** Asks for a rating up to some number. */
import type { Input } from "../../block.ts"
import { askPrefilled, readNumbers, typedText } from "../asking.ts"
import { type RatingInputBlock, ratingInputBlockSchema } from "./schema.ts"

const defaultLength = 10

/** The type `rating input`. */
export const ratingInputBlock: Input<RatingInputBlock> = {
  kind: "input",
  schema: ratingInputBlockSchema,
  replyName: "rating",
  takesOpeningMessage: true,
  ask: (block, context) => {
    const asked = askPrefilled(block, context)
    if (!block.options || !asked.options) return asked
    const { startsAt: _startsAt, ...rest } = asked.options
    const { startsAt } = block.options
    return { ...asked, options: { ...rest, ...readNumbers({ startsAt }, context) } }
  },
  // Existing bots rely on there being no lower bound: an empty reply counts as 0.
  reply: (block, message) => {
    const text = typedText(message)
    if (text === undefined) return "retry"
    const isTaken = Number(text) <= (block.options?.length ?? defaultLength)
    return isTaken ? { accept: text } : "retry"
  },
}

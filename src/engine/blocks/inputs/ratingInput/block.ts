/** Asks for a rating up to some number. */
import { askWithNumbers, typedInput } from "../asking.ts"
import { ratingInputBlockSchema } from "./schema.ts"

const defaultLength = 10

/** The type `rating input`. */
export const ratingInputBlock = typedInput(ratingInputBlockSchema, {
  replyName: "rating",
  ask: (block, context) => askWithNumbers(block, ["startsAt"], context),
  // Existing bots rely on there being no lower bound: an empty reply counts as 0.
  accept: (typed, { options }) =>
    Number(typed) <= (options?.length ?? defaultLength) ? typed : undefined,
})

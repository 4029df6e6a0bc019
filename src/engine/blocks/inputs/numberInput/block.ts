/** Asks for a number and takes whatever begins with one. */
import { readNumber } from "../../../variables/interpolate.ts"
import type { BlockContext } from "../../block.ts"
import { askWithNumbers, typedInput } from "../asking.ts"
import { type NumberInputBlock, numberInputBlockSchema } from "./schema.ts"

/** The type `number input`. */
export const numberInputBlock = typedInput(numberInputBlockSchema, {
  replyName: "number",
  ask: (block, context) => askWithNumbers(block, ["min", "max", "step"], context),
  accept: (typed, block, context) => {
    const number = Number.parseFloat(typed.replace(",", "."))
    if (!Number.isFinite(number) || !isWithinBounds(number, block, context)) return undefined
    // Leading zeros belong to codes and house numbers, which people type here too.
    return typed.startsWith("0") ? typed : String(number)
  },
})

/** A bound of 0 is not enforced, nor is one that is not a number. */
function isWithinBounds(number: number, block: NumberInputBlock, context: BlockContext): boolean {
  const min = readNumber(block.options?.min, context)
  const max = readNumber(block.options?.max, context)
  return !(min && number < min) && !(max && number > max)
}

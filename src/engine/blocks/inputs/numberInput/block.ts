/** Asks for a number and takes whatever begins with one. */
import { readNumber } from "../../../variables/interpolate.ts"
import type { BlockContext, Input } from "../../block.ts"
import { askPrefilled, readNumbers, typedText } from "../asking.ts"
import { type NumberInputBlock, numberInputBlockSchema } from "./schema.ts"

/** The type `number input`. */
export const numberInputBlock: Input<NumberInputBlock> = {
  kind: "input",
  schema: numberInputBlockSchema,
  replyName: "number",
  takesOpeningMessage: true,
  ask: (block, context) => {
    const asked = askPrefilled(block, context)
    if (!block.options || !asked.options) return asked
    const { min: _min, max: _max, step: _step, ...rest } = asked.options
    const { min, max, step } = block.options
    return { ...asked, options: { ...rest, ...readNumbers({ min, max, step }, context) } }
  },
  reply: (block, message, context) => {
    const text = typedText(message)
    const number = text === undefined ? undefined : parseNumber(text)
    if (text === undefined || number === undefined) return "retry"
    if (!isWithinBounds(number, block, context)) return "retry"
    // Leading zeros belong to codes and house numbers, which people type here too.
    return { accept: text.startsWith("0") ? text : String(number) }
  },
}

function parseNumber(text: string): number | undefined {
  const number = Number.parseFloat(text.replace(",", "."))
  return Number.isFinite(number) ? number : undefined
}

/** A bound of 0 does not count, nor does one that is no number. */
function isWithinBounds(number: number, block: NumberInputBlock, context: BlockContext): boolean {
  const min = readNumber(block.options?.min, context)
  const max = readNumber(block.options?.max, context)
  return !(min && number < min) && !(max && number > max)
}

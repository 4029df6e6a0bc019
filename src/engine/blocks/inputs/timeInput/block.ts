/** Asks for a time of day. */
import { judgingUnits, spend } from "../../../budget/fuel.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import type { Input } from "../../block.ts"
import { askPrefilled, typedText } from "../asking.ts"
import { formatDate } from "../formatDate.ts"
import { readNaturalDate } from "../naturalDate.ts"
import { type TimeInputBlock, timeInputBlockSchema } from "./schema.ts"

/** The type `time input`. */
export const timeInputBlock: Input<TimeInputBlock> = {
  kind: "input",
  schema: timeInputBlockSchema,
  replyName: "time",
  takesOpeningMessage: true,
  ask: askPrefilled,
  reply: (block, message, context) => {
    const text = typedText(message)
    if (text === undefined) return "retry"
    const time = readNaturalDate(text, { isDayFirst: false, now: context.world.now() })
    if (!time) return "retry"
    const format = interpolate(block.options?.format, context) || "HH:mm"
    spend(context.fuel, 24 * judgingUnits(format))
    return { accept: formatDate(time.start, format) }
  },
}

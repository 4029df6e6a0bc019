/** Asks for a time of day. */
import { judgingUnits, spend } from "../../../budget/fuel.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import { typedInput } from "../asking.ts"
import { formatDate } from "../formatDate.ts"
import { readNaturalDate } from "../naturalDate.ts"
import { timeInputBlockSchema } from "./schema.ts"

/** The type `time input`. */
export const timeInputBlock = typedInput(timeInputBlockSchema, {
  replyName: "time",
  accept: (typed, { options }, context) => {
    const time = readNaturalDate(typed, { isDayFirst: false, now: context.world.now() })
    if (!time) return undefined
    const format = interpolate(options?.format, context) || "HH:mm"
    spend(context.fuel, 24 * judgingUnits(format))
    return formatDate(time.start, format)
  },
})

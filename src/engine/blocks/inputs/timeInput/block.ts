/** Asks for a time of day. */
import { judgingUnits, spend } from "../../../budget/fuel.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, typedInput } from "../asking.ts"
import { formatDate } from "../formatDate.ts"
import { readNaturalDate } from "../naturalDate.ts"

const timeInputBlockSchema = blockSchemaOf("time input", {
  options: optional.named("TimeInputOptions", "How the time is asked for and stored", {
    ...answerShape,
    labels: optional.object("Texts around the time", {
      button: optional.template("Label of the button; default Send"),
    }),
    format: optional.text("How to store the time, in tokens of date-fns", "HH:mm"),
  }),
}).meta({ id: "TimeInputBlock" })

export const timeInputBlock = typedInput(timeInputBlockSchema, {
  catalogue: {
    label: "Time",
    description: "Asks for a time of day",
    category: "questions",
    icon: "clock",
    messengers: "reduced",
  },
  replyName: "time",
  answersAre: "dates",
  samples: (_, wanted) => ({
    fitting: [
      "10:30",
      "00:00",
      "23:59",
      ...wanted.filter((text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text)),
    ],
    refused: ["never"],
  }),
  accept: (typed, { options }, context) => {
    const now = context.world.now()
    const time = readNaturalDate(typed.replace(dottedTime, "$1:$2"), {
      isDayFirst: false,
      now,
      language: context.chat.language,
    })
    if (!time) return undefined
    const format = interpolate(options?.format, context) || "HH:mm"
    spend(context.fuel, 24 * judgingUnits(format))
    return formatDate(time.start, format)
  },
})

/** Hours and minutes separated by a dot, as the whole reply. */
const dottedTime = /^\s*([01]?\d|2[0-3])\.([0-5]\d)(?= ?h?\s*$)/i

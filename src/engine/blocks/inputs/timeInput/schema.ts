/** Shape of a time input. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape } from "../inputSchema.ts"

const optionsSchema = namedObject("TimeInputOptions", "How the time is asked for and stored", {
  ...answerShape,
  labels: optional.object("Texts around the time", {
    button: optional.template("Label of the button; default Send"),
  }),
  format: optional.text("How to store the time, in tokens of date-fns; default HH:mm"),
})

export const timeInputBlockSchema = blockSchemaOf("time input", "A time input", {
  options: optionsSchema.optional(),
}).meta({ id: "TimeInputBlock", description: "Asks for a time of day" })

export type TimeInputBlock = z.infer<typeof timeInputBlockSchema>

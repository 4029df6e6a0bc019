/** Shape of a time input. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { answerShape, labelSchema } from "../inputShape.ts"

const optionsSchema = z
  .object({
    ...answerShape,
    labels: z
      .object({ button: labelSchema("Label of the button; default Send") })
      .optional()
      .describe("Texts around the time"),
    format: z
      .string()
      .optional()
      .describe("How to store the time, in tokens of date-fns; default HH:mm"),
  })
  .meta({ id: "TimeInputOptions", description: "How the time is asked for and stored" })

export const timeInputBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("time input").describe("A time input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "TimeInputBlock", description: "Asks for a time of day" })

export type TimeInputBlock = z.infer<typeof timeInputBlockSchema>

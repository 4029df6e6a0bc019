/** Shape of a date input. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { answerShape, labelSchema } from "../inputShape.ts"

const labelsSchema = z
  .object({
    button: labelSchema("Label of the button; default Send"),
    from: labelSchema("Label of the first date; default From:"),
    to: labelSchema("Label of the second date; default To:"),
    separator: labelSchema("Stands between the dates of a stored range; default to"),
  })
  .meta({ id: "DateInputLabels", description: "Texts around the date" })

const optionsSchema = z
  .object({
    ...answerShape,
    labels: labelsSchema.optional(),
    hasTime: z.boolean().optional().describe("Whether a time of day is asked too; default false"),
    isRange: z.boolean().optional().describe("Whether two dates are asked; default false"),
    format: z
      .string()
      .optional()
      .describe(
        "How to store dates, in tokens of date-fns; default dd/MM/yyyy, with time dd/MM/yyyy HH:mm",
      ),
    min: z.string().optional().describe("Earliest date: ISO date, date-time or {{variable}}"),
    max: z
      .string()
      .optional()
      .describe("Latest date, likewise; a day without a time ends as it begins"),
  })
  .meta({ id: "DateInputOptions", description: "How the date is asked for and stored" })

export const dateInputBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("date input").describe("A date input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "DateInputBlock", description: "Asks for a date or for a range of dates" })

export type DateInputBlock = z.infer<typeof dateInputBlockSchema>

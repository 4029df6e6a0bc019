/** Shape of a date input. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape } from "../inputSchema.ts"

export const dateInputBlockSchema = blockSchemaOf("date input", "A date input", {
  options: optional.named("DateInputOptions", "How the date is asked for and stored", {
    ...answerShape,
    labels: optional.named("DateInputLabels", "Texts around the date", {
      button: optional.template("Label of the button; default Send"),
      from: optional.template("Label of the first date; default From:"),
      to: optional.template("Label of the second date; default To:"),
      separator: optional.template("Stands between the dates of a stored range; default to"),
    }),
    hasTime: optional.flag("Whether a time of day is asked too; default false"),
    isRange: optional.flag("Whether two dates are asked; default false"),
    format: optional.text(
      "How to store dates, in tokens of date-fns; default dd/MM/yyyy, with time dd/MM/yyyy HH:mm",
    ),
    min: optional.text("Earliest date: ISO date, date-time or {{variable}}"),
    max: optional.text("Latest date, likewise; a day without a time ends as it begins"),
  }),
}).meta({ id: "DateInputBlock", description: "Asks for a date or for a range of dates" })

export type DateInputBlock = z.infer<typeof dateInputBlockSchema>

/** Stored form of the Cal.com block. */
import { z } from "zod"
import { idSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"
import { actionOption, text, variableOption } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    action: actionOption(["Book event"]),
    baseUrl: text("Address of the Cal.com instance; default https://app.cal.com"),
    link: text("Address of the event to book"),
    layout: z
      .enum(["Month", "Weekly", "Columns"])
      .optional()
      .describe("How the calendar is shown; default Month"),
    name: text("Name to fill in"),
    email: text("Mail address to fill in"),
    phone: text("Phone number to fill in"),
    additionalNotes: text("Notes to fill in"),
    anyPrefilledInformations: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the entry"),
          questionId: text("Identifier of the booking question"),
          value: text("Answer to fill in"),
        }),
      )
      .optional()
      .describe("Answers to further questions"),
    saveBookedDateInVariableId: variableOption("Variable for the booked date"),
  })
  .meta({ id: "CalComOptions", description: "The event to book" })

export type CalComOptions = z.infer<typeof optionsSchema>

export const calComBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("cal-com").describe("Cal.com"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "CalComBlock", description: "Shows a calendar and waits for a booking" })

export type CalComBlock = z.infer<typeof calComBlockSchema>

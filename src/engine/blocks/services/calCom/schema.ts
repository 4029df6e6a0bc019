/** Stored form of the Cal.com block. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption } from "../serviceSchema.ts"

export const calComBlockSchema = blockSchemaOf("cal-com", "Cal.com", {
  options: optional.named("CalComOptions", "The event to book", {
    action: actionOption(["Book event"]),
    baseUrl: optional.template("Address of the Cal.com instance; default https://app.cal.com"),
    link: optional.template("Address of the event to book"),
    layout: optional.oneOf("How the calendar is shown; default Month", [
      "Month",
      "Weekly",
      "Columns",
    ]),
    name: optional.template("Name to fill in"),
    email: optional.template("Mail address to fill in"),
    phone: optional.template("Phone number to fill in"),
    additionalNotes: optional.template("Notes to fill in"),
    anyPrefilledInformations: optional.entries("Answers to further questions", {
      questionId: optional.template("Identifier of the booking question"),
      value: optional.template("Answer to fill in"),
    }),
    saveBookedDateInVariableId: optional.variableId("Variable for the booked date"),
  }),
}).meta({ id: "CalComBlock", description: "Shows a calendar and waits for a booking" })

export type CalComBlock = z.infer<typeof calComBlockSchema>
export type CalComOptions = NonNullable<CalComBlock["options"]>

/** Stored form of the Google Analytics block. */
import { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const optionsSchema = namedObject("GoogleAnalyticsOptions", "An event of Google Analytics", {
  trackingId: optional.text("Measurement id, also loaded when a chat starts"),
  category: optional.text("Category of the event"),
  action: optional.text("Name of the event"),
  label: optional.text("Label of the event"),
  value: z
    .union([z.number(), z.string()])
    .optional()
    .describe("Value of the event: a number or a variable"),
  sendTo: optional.text("Further target"),
})

export const googleAnalyticsBlockSchema = blockSchemaOf("Google Analytics", "Google Analytics", {
  options: optionsSchema.optional(),
}).meta({ id: "GoogleAnalyticsBlock", description: "Sends an event to Google Analytics" })

export type GoogleAnalyticsBlock = z.infer<typeof googleAnalyticsBlockSchema>

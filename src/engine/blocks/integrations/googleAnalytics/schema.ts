/** Stored form of the Google Analytics block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

const text = (description: string) => z.string().optional().describe(description)

const optionsSchema = z
  .object({
    trackingId: text("Measurement id, also loaded when a chat starts"),
    category: text("Category of the event"),
    action: text("Name of the event"),
    label: text("Label of the event"),
    value: z
      .union([z.number(), z.string()])
      .optional()
      .describe("Value of the event: a number or a variable"),
    sendTo: text("Further target"),
  })
  .meta({ id: "GoogleAnalyticsOptions", description: "An event of Google Analytics" })

export const googleAnalyticsBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Google Analytics").describe("Google Analytics"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "GoogleAnalyticsBlock", description: "Sends an event to Google Analytics" })

export type GoogleAnalyticsBlock = z.infer<typeof googleAnalyticsBlockSchema>

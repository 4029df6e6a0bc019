/** Stored form of the Segment block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { actionOption, credentialsOption, text } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Alias", "Identify User", "Page", "Track"]),
    userId: text("Id of the user"),
    previousId: text("Alias: the id before"),
    email: text("Identify User: mail address"),
    traits: z.array(keyValueSchema).optional().describe("Identify User: what is known of the user"),
    name: text("Page: name of the page"),
    category: text("Page: category of the page"),
    eventName: text("Track: name of the event"),
    properties: z.array(keyValueSchema).optional().describe("Page, Track: properties"),
  })
  .meta({ id: "SegmentOptions", description: "What to tell Segment" })

export type SegmentOptions = z.infer<typeof optionsSchema>

export const segmentBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("segment").describe("Segment"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "SegmentBlock", description: "Sends an event to Segment" })

export type SegmentBlock = z.infer<typeof segmentBlockSchema>

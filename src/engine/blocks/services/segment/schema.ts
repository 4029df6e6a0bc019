/** Stored form of the Segment block. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { actionOption, credentialsOption } from "../serviceSchema.ts"

const optionsSchema = namedObject("SegmentOptions", "What to tell Segment", {
  credentialsId: credentialsOption,
  action: actionOption(["Alias", "Identify User", "Page", "Track"]),
  userId: optional.template("Id of the user"),
  previousId: optional.template("Alias: the id before"),
  email: optional.template("Identify User: mail address"),
  traits: optional.list("Identify User: what is known of the user", keyValueSchema),
  name: optional.template("Page: name of the page"),
  category: optional.template("Page: category of the page"),
  eventName: optional.template("Track: name of the event"),
  properties: optional.list("Page, Track: properties", keyValueSchema),
})

export type SegmentOptions = z.infer<typeof optionsSchema>

export const segmentBlockSchema = blockSchemaOf("segment", "Segment", {
  options: optionsSchema.optional(),
}).meta({ id: "SegmentBlock", description: "Sends an event to Segment" })

export type SegmentBlock = z.infer<typeof segmentBlockSchema>

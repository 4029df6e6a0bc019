/** Stored form of the PostHog block. */
import { z } from "zod"
import { idSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { actionOption, credentialsOption, text } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Capture", "Identify Group"]),
    isAnonymous: z.boolean().optional().describe("Capture: whether nobody is named"),
    distinctId: text("Id of the person"),
    event: text("Capture: name of the event"),
    properties: z.array(keyValueSchema).optional().describe("Properties of the event or group"),
    personProperties: z.array(keyValueSchema).optional().describe("Capture: of the person"),
    groups: z
      .array(
        z.object({
          id: idSchema.optional().describe("Id of the entry"),
          type: text("Type of the group"),
          key: text("Key of the group"),
        }),
      )
      .optional()
      .describe("Capture: groups that the event belongs to"),
    groupType: text("Identify Group: type of the group"),
    groupKey: text("Identify Group: key of the group"),
  })
  .meta({ id: "PosthogOptions", description: "What to tell PostHog" })

export type PosthogOptions = z.infer<typeof optionsSchema>

export const posthogBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("posthog").describe("PostHog"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "PosthogBlock", description: "Sends an event to PostHog" })

export type PosthogBlock = z.infer<typeof posthogBlockSchema>

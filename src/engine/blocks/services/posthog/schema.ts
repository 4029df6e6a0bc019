/** Stored form of the PostHog block. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { keyValueSchema } from "../../keyValues.ts"
import { actionOption, credentialsOption } from "../serviceSchema.ts"

export const posthogBlockSchema = blockSchemaOf("posthog", "PostHog", {
  options: optional.named("PosthogOptions", "What to tell PostHog", {
    credentialsId: credentialsOption,
    action: actionOption(["Capture", "Identify Group"]),
    isAnonymous: optional.flag("Capture: whether nobody is named"),
    distinctId: optional.template("Id of the person"),
    event: optional.template("Capture: name of the event"),
    properties: optional.list("Properties of the event or group", keyValueSchema),
    personProperties: optional.list("Capture: of the person", keyValueSchema),
    groups: optional.entries("Capture: groups that the event belongs to", {
      type: optional.template("Type of the group"),
      key: optional.template("Key of the group"),
    }),
    groupType: optional.template("Identify Group: type of the group"),
    groupKey: optional.template("Identify Group: key of the group"),
  }),
}).meta({ id: "PosthogBlock", description: "Sends an event to PostHog" })

export type PosthogBlock = z.infer<typeof posthogBlockSchema>
export type PosthogOptions = NonNullable<PosthogBlock["options"]>

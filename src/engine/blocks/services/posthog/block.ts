/** PostHog: sends events over its capture API (`/i/v0/e/`). */
import { optional } from "../../../schema/sharedMembers.ts"
import { request } from "../../api.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { asObject, keyValueSchema } from "../../keyValues.ts"
import {
  type ActionOf,
  actionOption,
  credentialsOption,
  refusal,
  type ServiceStep,
  serviceBlock,
} from "../serviceBlock.ts"

const posthogBlockSchema = blockSchemaOf("posthog", {
  options: optional.named("PosthogOptions", "Event for PostHog", {
    credentialsId: credentialsOption,
    action: actionOption(["Capture", "Identify Group"]),
    isAnonymous: optional.flag("Capture: whether the event is anonymous"),
    distinctId: optional.template("Id of the person").meta({ title: "Person" }),
    event: optional.template("Capture: name of the event"),
    properties: optional.list("Properties of the event or group", keyValueSchema),
    personProperties: optional.list("Capture: properties of the person", keyValueSchema),
    groups: optional.entries("Capture: groups that the event belongs to", {
      type: optional.template("Type of the group"),
      key: optional.template("Key of the group"),
    }),
    groupType: optional.template("Identify Group: type of the group"),
    groupKey: optional.template("Identify Group: key of the group"),
  }),
}).meta({ id: "PosthogBlock" })

type PosthogAction = ActionOf<typeof posthogBlockSchema>

const activity = "While sending an event to PostHog"

export const posthogBlock = serviceBlock(posthogBlockSchema, {
  catalogue: {
    label: "PostHog",
    description: "Sends events about people and groups to PostHog",
    category: "analytics",
    icon: "chart-column",
  },
  actions: {
    Capture: { activity, run: capture },
    "Identify Group": { activity, run: identifyGroup },
  },
})

function capture(action: PosthogAction): ServiceStep {
  const { isAnonymous, distinctId, event, properties, personProperties } = action.options
  if (!event) return refusal("No event is given")
  const person = isAnonymous ? action.context.world.newId() : distinctId
  if (!person) return refusal("No distinct id is given")
  const groups = asObject(
    action.options.groups?.map(({ type, key }) => ({ key: type, value: key })),
  )
  const known = asObject(personProperties)
  return send(action, {
    event,
    distinct_id: person,
    properties: {
      ...asObject(properties),
      ...(isAnonymous ? { $process_person_profile: false } : {}),
      ...(!isAnonymous && Object.keys(known).length > 0 ? { $set: known } : {}),
      ...(Object.keys(groups).length > 0 ? { $groups: groups } : {}),
    },
  })
}

function identifyGroup(action: PosthogAction): ServiceStep {
  const { groupType, groupKey, distinctId, properties } = action.options
  if (!groupType || !groupKey) return refusal("The group needs a type and a key")
  // Without a person the event names the group itself, as the libraries of PostHog do.
  return send(action, {
    event: "$groupidentify",
    distinct_id: distinctId ?? `$${groupType}_${groupKey}`,
    properties: {
      $group_type: groupType,
      $group_key: groupKey,
      $group_set: asObject(properties),
    },
  })
}

function send(action: PosthogAction, event: object): ServiceStep {
  const timestamp = new Date(action.context.world.now()).toISOString()
  const rest = JSON.stringify({ ...event, timestamp })
  return request(action, {
    method: "POST",
    url: [{ secret: "host", fallback: "https://us.i.posthog.com", as: "base" }, "/i/v0/e/"],
    body: {
      // The key is part of the body, which is built around it.
      text: ['{"api_key":', { secret: "apiKey", as: "json" }, `,${rest.slice(1)}`],
      contentType: "application/json",
    },
  })
}

/** Segment: sends events over its HTTP tracking API, version 1. */
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { json, request } from "../../api.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { asObject, keyValueSchema } from "../../keyValues.ts"
import {
  type ActionOf,
  actionOption,
  credentialsOption,
  type ServiceStep,
  serviceBlock,
} from "../serviceBlock.ts"

const segmentBlockSchema = blockSchemaOf("segment", {
  options: optional.named("SegmentOptions", "Event for Segment", {
    credentialsId: credentialsOption,
    action: actionOption(["Alias", "Identify User", "Page", "Track"]),
    userId: optional.template("Id of the user"),
    previousId: optional.template("Alias: the previous id"),
    email: optional.template("Identify User: mail address"),
    traits: optional.list("Identify User: traits of the user", keyValueSchema),
    name: optional.template("Page: name of the page"),
    category: optional.template("Page: category of the page"),
    eventName: optional.template("Track: name of the event"),
    properties: optional.list("Page, Track: properties", keyValueSchema),
  }),
}).meta({ id: "SegmentBlock" })

type SegmentAction = ActionOf<typeof segmentBlockSchema>

const activity = "While sending an event to Segment"

// Incomplete events are dropped silently.
export const segmentBlock = serviceBlock(segmentBlockSchema, {
  catalogue: {
    label: "Segment",
    description: "Sends events about users to Segment",
    category: "analytics",
    icon: "chart-pie",
  },
  actions: {
    Alias: { activity, run: alias },
    "Identify User": { activity, run: identifyUser },
    Page: { activity, run: page },
    Track: { activity, run: track },
  },
})

function alias(action: SegmentAction): ServiceStep {
  const { userId, previousId } = action.options
  return userId && previousId ? send(action, "alias", { userId, previousId }) : {}
}

function identifyUser(action: SegmentAction): ServiceStep {
  const { userId, email, traits } = action.options
  const known = { ...asObject(traits), ...nonEmpty({ email }) }
  return userId ? send(action, "identify", { userId, traits: known }) : {}
}

function page(action: SegmentAction): ServiceStep {
  const { userId, name, category, properties } = action.options
  const event = { userId, name, ...nonEmpty({ category }), properties: asObject(properties) }
  return userId && name ? send(action, "page", event) : {}
}

function track(action: SegmentAction): ServiceStep {
  const { userId, eventName, properties } = action.options
  const event = { userId, event: eventName, properties: asObject(properties) }
  return userId && eventName ? send(action, "track", event) : {}
}

function send(action: SegmentAction, path: string, event: object): ServiceStep {
  const { world } = action.context
  return request(action, {
    method: "POST",
    url: `https://api.segment.io/v1/${path}`,
    basicAuth: { user: [{ secret: "apiKey" }], password: "" },
    body: json({
      ...event,
      messageId: world.newId(),
      timestamp: new Date(world.now()).toISOString(),
    }),
  })
}

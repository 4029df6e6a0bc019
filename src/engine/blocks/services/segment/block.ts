/** Segment: sends events over its HTTP tracking API, version 1. */

import { nonEmpty } from "../../../presentMembers.ts"
import { json, request } from "../../api.ts"
import { asObject } from "../../keyValues.ts"
import { type ActionContext, type ServiceStep, serviceBlock, withData } from "../service.ts"
import { type SegmentOptions, segmentBlockSchema } from "./schema.ts"

type SegmentAction = ActionContext<SegmentOptions>

const resume = { http: withData<SegmentOptions>("While sending an event to Segment") }

// An event without what it needs is dropped in silence.
export const segmentBlock = serviceBlock(segmentBlockSchema, {
  Alias: { run: alias, resume },
  "Identify User": { run: identifyUser, resume },
  Page: { run: page, resume },
  Track: { run: track, resume },
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

/** Segment: sends events over its HTTP tracking API, version 1. */
import type { Outcome } from "../../../calls.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { asObject } from "../../keyValues.ts"
import { json, request } from "../api.ts"
import { actWithCredential, needsAccount, type ServiceActions, type Visit } from "../service.ts"
import { type SegmentBlock, type SegmentOptions, segmentBlockSchema } from "./schema.ts"

// An event without what it needs is dropped in silence.
const actions: ServiceActions<SegmentOptions, "http"> = {
  Alias: (visit) => {
    const { userId, previousId } = visit.options
    return userId && previousId ? send(visit, "alias", { userId, previousId }) : {}
  },
  "Identify User": (visit) => {
    const { userId, email, traits } = visit.options
    const known = { ...asObject(traits), ...(email ? { email } : {}) }
    return userId ? send(visit, "identify", { userId, traits: known }) : {}
  },
  Page: (visit) => {
    const { userId, name, category, properties } = visit.options
    const page = { userId, name, ...(category ? { category } : {}) }
    return userId && name ? send(visit, "page", { ...page, properties: asObject(properties) }) : {}
  },
  Track: (visit) => {
    const { userId, eventName, properties } = visit.options
    return userId && eventName
      ? send(visit, "track", { userId, event: eventName, properties: asObject(properties) })
      : {}
  },
}

export const segmentBlock: Action<SegmentBlock, "http"> = {
  kind: "action",
  schema: segmentBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) => actWithCredential(block, context, actions),
  resume: { http: (_block, outcome) => answered(outcome) },
}

function send(visit: Visit<SegmentOptions>, path: string, event: object): Step<"http"> {
  const { world } = visit.context
  const call = request(visit, {
    method: "POST",
    url: `https://api.segment.io/v1/${path}`,
    basicAuth: { user: [{ secret: "apiKey" }], password: "" },
    body: json({
      ...event,
      messageId: world.newId(),
      timestamp: new Date(world.now()).toISOString(),
    }),
  })
  return { next: { call } }
}

function answered(outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While sending an event to Segment")
  return "log" in answer ? { log: [answer.log] } : {}
}

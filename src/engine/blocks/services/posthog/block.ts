/** PostHog: sends events over its capture API (`/i/v0/e/`). */
import type { Outcome } from "../../../calls.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { asObject } from "../../keyValues.ts"
import { request } from "../api.ts"
import { actWithCredential, needsAccount, refusal, type Visit } from "../service.ts"
import { type PosthogBlock, type PosthogOptions, posthogBlockSchema } from "./schema.ts"

const actions = { Capture: capture, "Identify Group": identifyGroup }

export const posthogBlock: Action<PosthogBlock, "http"> = {
  kind: "action",
  schema: posthogBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) => actWithCredential(block, context, actions),
  resume: { http: (_block, outcome) => answered(outcome) },
}

function capture(visit: Visit<PosthogOptions>): Step<"http"> {
  const { isAnonymous, distinctId, event, properties, personProperties } = visit.options
  if (!event) return refusal("No event is given")
  const person = isAnonymous ? visit.context.world.newId() : distinctId
  if (!person) return refusal("No distinct id is given")
  const groups = (visit.options.groups ?? []).flatMap(({ type, key }): [string, string][] =>
    type && key ? [[type, key]] : [],
  )
  const known = asObject(personProperties)
  return send(visit, {
    event,
    distinct_id: person,
    properties: {
      ...asObject(properties),
      ...(isAnonymous ? { $process_person_profile: false } : {}),
      ...(!isAnonymous && Object.keys(known).length > 0 ? { $set: known } : {}),
      ...(groups.length > 0 ? { $groups: Object.fromEntries(groups) } : {}),
    },
  })
}

function identifyGroup(visit: Visit<PosthogOptions>): Step<"http"> {
  const { groupType, groupKey, distinctId, properties } = visit.options
  if (!groupType || !groupKey) return refusal("The group needs a type and a key")
  // Without a person the event names the group itself, as the libraries of PostHog do.
  return send(visit, {
    event: "$groupidentify",
    distinct_id: distinctId ?? `$${groupType}_${groupKey}`,
    properties: {
      $group_type: groupType,
      $group_key: groupKey,
      $group_set: asObject(properties),
    },
  })
}

function send(visit: Visit<PosthogOptions>, event: object): Step<"http"> {
  const timestamp = new Date(visit.context.world.now()).toISOString()
  const rest = JSON.stringify({ ...event, timestamp })
  const call = request(visit, {
    method: "POST",
    url: [{ secret: "host", fallback: "https://us.i.posthog.com", as: "base" }, "/i/v0/e/"],
    body: {
      // The key goes into the body, so that the body is put together around it.
      text: ['{"api_key":', { secret: "apiKey", as: "json" }, `,${rest.slice(1)}`],
      contentType: "application/json",
    },
  })
  return { next: { call } }
}

function answered(outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While sending an event to PostHog")
  return "log" in answer ? { log: [answer.log] } : {}
}

/** A card in the feed of users of Blink (its CardKit). */
import type { Outcome } from "../../../calls.ts"
import { readApiAnswer } from "../../apiAnswer.ts"
import type { Step } from "../../block.ts"
import { pickText } from "../../json.ts"
import { bearer, json, request } from "../api.ts"
import { mapItems, refusal, type Visit } from "../service.ts"
import type { BlinkOptions } from "./schema.ts"

/** Sends the card. */
export function sendFeedEvent(visit: Visit<BlinkOptions>): Step<"http"> {
  const { categoryId, ribbonColor, userIds = [], groupIds = [], pushNotification } = visit.options
  const sections = (visit.options.sections ?? []).filter(({ type }) => type).map(sectionOf)
  if (!categoryId) return refusal("No category is given")
  if (sections.length === 0) return refusal("No sections are given")
  if (userIds.length + groupIds.length === 0) return refusal("No users or groups are given")
  const { title, text } = pushNotification ?? {}
  const call = request(visit, {
    method: "POST",
    url: "https://api.joinblink.com/v2/feed/events",
    headers: [bearer()],
    body: json({
      category: categoryId,
      body: { ...(ribbonColor ? { ribbon_color: ribbonColor } : {}), sections },
      ...(userIds.length > 0 ? { user_ids: userIds } : {}),
      ...(groupIds.length > 0 ? { group_ids: groupIds } : {}),
      ...(title ? { notification_title: title } : {}),
      ...(text ? { notification_text: text } : {}),
      allow_comments: visit.options.allowComments ?? false,
      allow_reactions: visit.options.allowReactions ?? false,
    }),
  })
  return { next: { call } }
}

/** Keeps its id. */
export function sentFeedEvent({ options }: Visit<BlinkOptions>, outcome: Outcome<"http">): Step {
  const answer = readApiAnswer(outcome, "While sending an event to Blink")
  if ("log" in answer) return { log: [answer.log] }
  const id = pickText(answer.data, "data", "event_id") ?? pickText(answer.data, "event_id")
  return { set: mapItems(options.responseMapping, "Event ID", { "Event ID": id }) }
}

/** Names of members and kinds as Blink spells them: `iconUrl` is `icon_url`. */
function sectionOf(section: Record<string, unknown>): object {
  const { id, type, ...members } = section
  return { type: snake(String(type)), ...Object.fromEntries(Object.entries(members).map(spelled)) }
}

function spelled([name, value]: [string, unknown]): [string, unknown] {
  return [snake(name), spelledValue(value)]
}

function spelledValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(spelledValue)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap((member) => (member[0] === "id" ? [] : [spelled(member)])),
  )
}

function snake(name: string): string {
  if (name === "YouTube") return "youtube"
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(" ", "_")
    .toLowerCase()
}

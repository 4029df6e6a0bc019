/** A card in the feed of users of Blink (its CardKit). */

import { pickText } from "../../../foreignJson.ts"
import { nonEmpty } from "../../../presentMembers.ts"
import { bearer, json, request } from "../../api.ts"
import {
  type ActionContext,
  mapItems,
  refusal,
  type ServiceAction,
  type ServiceStep,
} from "../service.ts"
import type { BlinkOptions } from "./schema.ts"

/** Sends a card and keeps its id. */
export const sendFeedEvent: ServiceAction<BlinkOptions> = {
  activity: "While sending an event to Blink",
  run: send,
  resume: {
    http: ({ options }, { data }) => {
      const id = pickText(data, "data", "event_id") ?? pickText(data, "event_id")
      return { set: mapItems(options.responseMapping, "Event ID", { "Event ID": id }) }
    },
  },
}

function send(action: ActionContext<BlinkOptions>): ServiceStep {
  const { categoryId, ribbonColor, userIds = [], groupIds = [], pushNotification } = action.options
  const sections = (action.options.sections ?? []).filter(({ type }) => type).map(sectionOf)
  if (!categoryId) return refusal("No category is given")
  if (sections.length === 0) return refusal("No sections are given")
  if (userIds.length + groupIds.length === 0) return refusal("No users or groups are given")
  return request(action, {
    method: "POST",
    url: "https://api.joinblink.com/v2/feed/events",
    headers: [bearer()],
    body: json({
      category: categoryId,
      body: { ...nonEmpty({ ribbon_color: ribbonColor }), sections },
      ...nonEmpty({
        user_ids: userIds,
        group_ids: groupIds,
        notification_title: pushNotification?.title,
        notification_text: pushNotification?.text,
      }),
      allow_comments: action.options.allowComments ?? false,
      allow_reactions: action.options.allowReactions ?? false,
    }),
  })
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

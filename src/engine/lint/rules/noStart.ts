/** A chat has somewhere to begin. */
import { hasEvents } from "../../bot.ts"
import type { Rule } from "../finding.ts"

const message = "Nothing says where a chat begins"

/** No start event, or before version 6 no start block. */
export const noStart: Rule = {
  id: "no-start",
  severity: "error",
  description: "A bot has a start event, or before version 6 a start block.",
  remedy: "Add an event of type `start` as the first of `events`.",
  judge: ({ path, code }, raw) =>
    path.length === 1 && path[0] === "events" && code === "custom" && !hasStart(raw)
      ? message
      : undefined,
  check({ flow, sites }) {
    if (flow.events) return []
    if (!hasEvents(flow.version) && sites.some(({ type }) => type.isStart)) return []
    return [{ path: [hasEvents(flow.version) ? "events" : "groups"], message }]
  },
}

function hasStart(raw: unknown): boolean {
  if (typeof raw !== "object" || raw === null || !("events" in raw)) return false
  if (!Array.isArray(raw.events)) return false
  return raw.events.some((event: unknown) => {
    return typeof event === "object" && event !== null && "type" in event && event.type === "start"
  })
}

/** Requirements for parsing a bot. */
import { hasEvents, schemaVersions } from "../../../engine/bot.ts"
import { pickList, pickText } from "../../../lib/foreignJson.ts"
import { error } from "../finding.ts"
import type { Path } from "../location.ts"
import { isPredicate } from "../sentences.ts"

export const unknownVersion = error({
  id: "unknown-version",
  description: "The bot has a known version.",
  remedy: "Export the bot in a known version, or leave `version` out of a hand-written one.",
  judge: ({ path }) =>
    path.length === 1 && path[0] === "version"
      ? `The version is not one of ${schemaVersions.join(", ")}`
      : undefined,
})

const nowhereToBegin = "The flow has no start"

export const noStart = error({
  id: "no-start",
  description: "A bot has a start event, or before version 6 a start block.",
  remedy: "Add an event of type `start` as the first of `events`.",
  judge: ({ path, code }, raw) =>
    path.length === 1 && path[0] === "events" && code === "custom" && !hasStart(raw)
      ? nowhereToBegin
      : undefined,
  check({ flow, blocks }) {
    if (flow.events) return []
    if (!hasEvents(flow.version) && blocks.some(({ type }) => type.isStart)) return []
    return [{ path: [hasEvents(flow.version) ? "events" : "groups"], message: nowhereToBegin }]
  },
})

function hasStart(raw: unknown): boolean {
  return pickList(raw, "events").some((event) => pickText(event, "type") === "start")
}

export const invalidShape = error({
  id: "invalid-shape",
  description: "Every member of a bot has the type that the format prescribes.",
  remedy: "Correct the value, or leave out the member if it is optional.",
  judge: ({ message, path }) => {
    const inside = insideBlock(path).join(".")
    if (!isPredicate(message)) return message
    return `${inside === "" ? "This" : `\`${inside}\``} ${message}`
  },
})

/** The keys inside the group, block, edge, event or variable that the place of a finding names. */
function insideBlock(path: Path): Path {
  if (path[0] === "groups" && path[2] === "blocks" && path.length > 3) return path.slice(4)
  return typeof path[1] === "number" ? path.slice(2) : path
}

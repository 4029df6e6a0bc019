/** Normalises flows of old versions to the shape of later ones. */
import { flowLimits } from "../../engine/bot.ts"
import { edgeSchema } from "../../engine/schema/edge.ts"
import { isMembers, type Members } from "../../lib/json.ts"

/**
 * A stored or imported flow, prepared for validation. Versions below 5: missing groups, blocks and edges are
 * empty, malformed edges are dropped; below 6: there are no events. Other values than objects are returned
 * unchanged, for validation to refuse.
 */
export function normalizeFlow(raw: unknown): unknown {
  if (!isMembers(raw)) return raw
  const version = raw.version ?? "3"
  // Anything but a text is left to validation: an object may not even be convertible to a number.
  const number = typeof version === "string" ? Number(version) : Number.NaN
  if (number < 5) return normalizeOld({ ...raw, version })
  if (number < 6) return { ...raw, events: null }
  return raw
}

function normalizeOld(raw: Members): Members {
  return {
    ...raw,
    events: null,
    groups: Array.isArray(raw.groups) ? raw.groups.map(withBlocks) : (raw.groups ?? []),
    edges: isShort(raw.edges) ? raw.edges.filter(isEdge) : (raw.edges ?? []),
    variables: raw.variables ?? [],
  }
}

/** Validating a malformed edge takes ten times as long, so lists beyond the maximum are not read. */
function isShort(edges: unknown): edges is unknown[] {
  return Array.isArray(edges) && edges.length <= flowLimits.edges
}

function withBlocks(group: unknown): unknown {
  return isMembers(group) ? { ...group, blocks: group.blocks ?? [] } : group
}

/** Whether a value is an edge of a flow. */
export function isEdge(edge: unknown): boolean {
  return edgeSchema.safeParse(edge).success
}

/** What asks for an answer or a decision has a way on. */
import type { Found, Rule } from "../finding.ts"
import type { Path } from "../location.ts"
import type { Site } from "../sites.ts"
import type { Subject } from "../subject.ts"

/**
 * An answer, an item or an event after which nothing comes. A group may end with a message: every
 * chat ends somewhere.
 */
export const deadEnd: Rule = {
  id: "dead-end",
  severity: "warning",
  description: "Something follows every event, every question and every item that is chosen.",
  remedy: "Connect it to a group, unless the chat is meant to end there without a word.",
  check: eventsWithout,
  checkBlock: endsAt,
}

function eventsWithout({ flow }: Subject): Found[] {
  return (flow.events ?? []).flatMap(({ type, outgoingEdgeId }, index) =>
    outgoingEdgeId === undefined
      ? [{ path: ["events", index], message: `Nothing follows the ${type} event` }]
      : [],
  )
}

function endsAt(site: Site): Found[] {
  const { block, type, group, index, path } = site
  const hasOwnWay = block.outgoingEdgeId !== undefined || index + 1 < group.blocks.length
  if (hasOwnWay && !type.needsItemEdges) return []
  const ways = waysOf(site)
  const missing = ways.filter(({ edgeId }) => edgeId === undefined)
  const found = missing.map((way) => ({ path: way.path, message: "Nothing follows this item" }))
  if (type.needsItemEdges || missing.length < ways.length) return found
  return type.kind === "input" ? [{ path, message: "Nothing follows the answer" }] : []
}

type WayOut = { path: Path; edgeId: unknown }

/** The items of a block, or the buttons of its items. */
function waysOf({ block, type, path }: Site): WayOut[] {
  if (type.isUnknown || !("items" in block) || !Array.isArray(block.items)) return []
  return block.items.flatMap((item: { outgoingEdgeId?: string; paths?: WayOut[] }, index) => {
    const here = [...path, "items", index]
    const { paths } = item
    if (!paths) return [{ path: here, edgeId: item.outgoingEdgeId }]
    return paths.map((button: { outgoingEdgeId?: string } & object, at) => ({
      path: [...here, "paths", at],
      edgeId: button.outgoingEdgeId,
    }))
  })
}

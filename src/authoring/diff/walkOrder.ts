/** Puts the parts of two flows into one order, that of a chat. */
import { typeOf } from "../../engine/blocks/registry.ts"
import { visitDepthFirst } from "../../lib/graph.ts"
import type { Part } from "./parts.ts"
import { exitName, type Side, type Sides, targetOf } from "./side.ts"

/**
 * All parts of the newer flow in its order, and each removed part after its predecessor. Excludes edges and
 * the items of added and removed blocks.
 */
export function partsInOrder({ old, now }: Sides): Part[] {
  const { flow, variables, theme, settings } = now.parts
  const stops = merged(walkOrder(old), walkOrder(now))
  return [
    flow,
    ...stops.flatMap((stop) => [stop, ...blocksInOrder(stop)]),
    ...merged(old.parts.variables, variables),
    theme,
    settings,
  ]
}

function blocksInOrder(group: Part): Part[] {
  return mergedChildren(group).flatMap((block) =>
    block.twin ? [block, ...mergedChildren(block)] : [block],
  )
}

function mergedChildren(part: Part): Part[] {
  return part.isOld ? merged(part.children, []) : merged(part.twin?.children ?? [], part.children)
}

/** The newer list, with each part removed from the older one after its predecessor there. */
function merged(old: readonly Part[], now: readonly Part[]): Part[] {
  if (old.every(({ twin }) => twin)) return [...now]
  const present = new Set(now)
  const removed = new Map<Part | undefined, Part[]>()
  let previous: Part | undefined
  for (const part of old) {
    if (!part.twin) {
      const others = removed.get(previous)
      if (others) others.push(part)
      else removed.set(previous, [part])
    } else if (present.has(part.twin)) previous = part.twin
  }
  const following = (part?: Part) => removed.get(part) ?? []
  return [...following(), ...now.flatMap((part) => [part, ...following(part)])]
}

/** Each event and the groups that it leads to, depth first, then the unreachable groups. */
function walkOrder(side: Side): Part[] {
  const { events, groups } = side.parts
  const order = new Set<Part>()
  const walkFrom = (first: Part | undefined) =>
    visitDepthFirst(first, (group) => waysFrom(group, side), order)
  for (const event of events) {
    order.add(event)
    walkFrom(targetOf(event.value[exitName], side))
  }
  walkFrom(groups.find(({ children }) => children.some(isStart)))
  for (const group of groups) walkFrom(group)
  return [...order]
}

/** The groups that the blocks of a group lead to; undefined: nowhere. */
function waysFrom(group: Part, side: Side): (Part | undefined)[] {
  return group.children.flatMap((part) => {
    const lead = part.block && typeOf(part.block).staticTarget?.(part.block)
    const isHere = lead?.botId === undefined || lead.botId === "current"
    // The block's own edge is the path without a chosen item.
    const edgeIds = [...part.children, part].flatMap((each) => side.exits.get(each) ?? [])
    return [
      ...(lead && isHere ? [side.groups.get(lead.groupId)] : []),
      ...edgeIds.map((edgeId) => targetOf(edgeId, side)),
    ]
  })
}

function isStart({ block }: Part): boolean {
  return block !== undefined && typeOf(block).isStart === true
}

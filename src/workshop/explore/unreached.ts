/** Unreachable groups: without a drawn path, or without replies that take it. */
import { targetInFlow, type Vertex, vertexAt } from "../../authoring/lint/lintContext.ts"
import { placeInFlow } from "../../authoring/lint/location.ts"
import { unreachedParts } from "../../authoring/lint/reach.ts"
import type { Group } from "../../engine/bot.ts"
import { cut } from "../../lib/cut.ts"
import { pick } from "../../lib/foreignJson.ts"
import { visitDepthFirst } from "../../lib/graph.ts"
import type { Fault } from "./faultsIn.ts"
import { type BlockFacts, type Exit, type FlowFacts, groupOf } from "./flowFacts.ts"
import type { Found } from "./search.ts"
import { impossibleConditions, satisfiable } from "./witnesses.ts"

/** An unreachable group or way; `from`: the block and item that should lead to it, if any. */
export type Unreached = {
  fault: Fault
  /** The `reaches` of a test: title or id of the group, or id of the edge. */
  reaches: string
  from?: { blockId: string; item?: number | undefined }
}

/** The unreachable groups. Of connected ones, the one to connect. */
export function unreachedGroups(facts: FlowFacts, found: Found): Unreached[] {
  const parts = unreachedParts(facts.context)
  const lost = parts.map(({ head, others }): Unreached => {
    const behind =
      others === 0 ? "" : `, nor the ${others === 1 ? "group" : `${others} groups`} behind it`
    const message = `No chat can reach this group${behind}`
    const reason = hidingId(facts, head)
    const fault = faultOf(facts, head, reason === undefined ? message : `${message}: ${reason}`)
    const hidden = { ...fault, rule: "hidden-group" } as const
    return { fault: reason === undefined ? fault : hidden, reaches: nameOf(facts, head) }
  })
  // An incomplete search cannot prove that no path exists.
  if (found.left) return lost
  const passed = visited(facts, found)
  const reached = new Set(passed.map(({ entry }) => entry.group))
  const open = maybeReached(facts, found)
  const barred = new Map<Group, Unreached>()
  for (const known of passed) {
    for (const exit of known.exits) {
      const group = exit.to && groupOf(exit.to)
      if (!group || isTaken(exit, found) || reached.has(group) || open.has(group)) continue
      if (barred.has(group) || group.blocks.length === 0) continue
      if (neverHolds(known, exit, facts)) continue
      const at = placeInFlow(exit.path, facts.flow) ?? "the block before it"
      const message = `No conversation reaches this group: nothing makes ${at} lead to it`
      const from = { blockId: known.entry.block.id, item: exit.item }
      barred.set(group, {
        fault: faultOf(facts, group, message),
        ...{ reaches: nameOf(facts, group), from },
      })
    }
  }
  return [...lost, ...barred.values()]
}

/** The name of a group in tests: its title, unless another has it. */
function nameOf({ flow }: FlowFacts, { id, title }: Group): string {
  const isNamed = flow.groups.filter((each) => each.title === title).length === 1
  return isNamed && title !== "" ? title : id
}

/** The duplicate id that hides a group, as a sentence; undefined: none. */
function hidingId({ flow, context }: FlowFacts, group: Group): string | undefined {
  const first = context.groups.get(group.id)
  if (first && first !== group) {
    return `group "${cut(first.title)}" has the same id, and chats enter that one`
  }
  const isHidden = flow.edges.some(
    ({ id, to }) => to.groupId === group.id && context.edges.get(id)?.to.groupId !== group.id,
  )
  return isHidden ? "the edge that leads here has the id of an earlier edge" : undefined
}

/** Ways out of conditions that no reply takes, though other ways reach their groups. */
export function closedWays(
  facts: FlowFacts,
  found: Found,
  unreached: readonly Unreached[],
): Unreached[] {
  const isKnown = (blockId: string, item: number | undefined) =>
    unreached.some(({ from }) => from?.blockId === blockId && from.item === item)
  return visited(facts, found).flatMap((known) => {
    const { block, type } = known.entry
    if (!type.needsItemEdges || found.refused.has(known.entry.path.join())) return []
    return known.exits.flatMap((exit): Unreached[] => {
      const { item, edgeId, path } = exit
      const condition = known.conditions.find(({ at }) => at[1] === item)?.condition
      if (item === undefined || edgeId === undefined || !condition) return []
      if (isTaken(exit, found) || isKnown(block.id, item)) return []
      // An incomplete search cannot prove that no reply takes the way.
      if (found.left || !isDecided(known, exit, facts)) return []
      // Impossible conditions are found in conversations.
      if (impossibleConditions(facts).has(condition)) return []
      const message = "No reply makes this condition hold, at least not before those above it"
      const fault = { rule: "never-holds", path, message } as const
      return [{ fault, reaches: edgeId, from: { blockId: block.id, item } }]
    })
  })
}

function faultOf({ flow }: FlowFacts, group: Group, message: string): Fault {
  return { rule: "unreached-group", path: ["groups", flow.groups.indexOf(group)], message }
}

function visited({ blocks }: FlowFacts, found: Found): BlockFacts[] {
  return [...found.reached.blocks].flatMap((id) => blocks.get(id) ?? [])
}

/** Whether the condition of a way can never hold, which is a fault of its own. */
function neverHolds({ conditions }: BlockFacts, { item }: Exit, facts: FlowFacts): boolean {
  const condition = conditions.find(({ at }) => at[1] === item)?.condition
  return condition !== undefined && impossibleConditions(facts).has(condition)
}

/** Whether a way was taken, or has no target. */
export function isTaken({ edgeId, to }: Exit, { reached: { edges, blocks } }: Found): boolean {
  if (edgeId !== undefined) return edges.has(edgeId)
  return to === undefined || !("block" in to) || blocks.has(to.block.id)
}

/** Groups after untaken ways that depend on more than exploring can try. */
function maybeReached(facts: FlowFacts, found: Found): Set<Group> {
  const seen = new Set<Vertex>()
  const nextOf = (vertex: Vertex): (Vertex | undefined)[] => {
    const known = "block" in vertex ? facts.blocks.get(vertex.block.id) : undefined
    if (!known) return []
    const target = targetInFlow(facts.context, known.entry)
    const jumped = typeof target === "object" ? vertexAt(facts.context, target) : undefined
    return [jumped, ...known.exits.map(({ to }) => to)]
  }
  for (const known of facts.blocks.values()) {
    if (found.refused.has(known.entry.path.join())) visitDepthFirst(known.entry, nextOf, seen)
  }
  for (const known of visited(facts, found)) {
    for (const exit of known.exits) {
      const isOpen = !isTaken(exit, found) && !isDecided(known, exit, facts)
      if (isOpen) visitDepthFirst(exit.to, nextOf, seen)
    }
  }
  return new Set([...seen].map(groupOf))
}

/** Whether only replies or chance decide on a way, so that exploring has tried it. */
export function isDecided(
  { entry, exits, conditions }: BlockFacts,
  exit: Exit,
  facts: FlowFacts,
): boolean {
  const { block, type } = entry
  if (type.needsItemEdges) {
    // Items are tested in order.
    const last = exit.item ?? Number.POSITIVE_INFINITY
    const tried = conditions.filter(({ at }) => Number(at[1]) <= last)
    return tried.every(({ condition }) => satisfiable(condition, facts) !== "unknown")
  }
  if (type.kind === "bubble") return true
  if (type.kind === "action") return exits.some(({ item }) => item !== undefined)
  if (pick(block, "options", "dynamicVariableId") !== undefined) return false
  return conditions.every(({ condition }) => satisfiable(condition, facts) !== "unknown")
}

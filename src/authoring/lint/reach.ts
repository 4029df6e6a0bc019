/** Reachable and unreachable parts of a flow, and endless loops. */
import type { Group } from "../../engine/bot.ts"
import { componentsOf, visitDepthFirst } from "../../lib/graph.ts"
import { groupBy } from "../../lib/groupBy.ts"
import { memoize } from "../../lib/memoize.ts"
import type { BlockEntry } from "./blockEntries.ts"
import { type LintContext, targetInFlow, type Vertex, vertexAt } from "./lintContext.ts"

/** The reachable part of a flow. */
type Reach = {
  groups: ReadonlySet<Group>
  blocks: ReadonlySet<BlockEntry>
  /** Whether a variable decides the target of a jump, which may then be any group. */
  isOpen: boolean
}

/** An upper bound of the reachable part: every edge counts, regardless of conditions. */
export const reachOf = memoize((context: LintContext): Reach => {
  const seen = new Set<Vertex>()
  for (const entry of entriesOf(context)) {
    visitDepthFirst(entry, (vertex) => nextOf(context, vertex), seen)
  }
  const vertices = [...seen]
  const blocks = vertices.filter(isBlock)
  return {
    groups: new Set(vertices.map(groupOf)),
    blocks: new Set(blocks),
    isOpen: blocks.some((entry) => targetInFlow(context, entry) === "anywhere"),
  }
})

export function mayReach(context: LintContext, entry: BlockEntry): boolean {
  const { blocks, isOpen } = reachOf(context)
  return isOpen || blocks.has(entry)
}

function isBlock(vertex: Vertex): vertex is BlockEntry {
  return "block" in vertex
}

function groupOf(vertex: Vertex): Group {
  return isBlock(vertex) ? vertex.group : vertex
}

function nextOf(context: LintContext, vertex: Vertex): (Vertex | undefined)[] {
  if (!isBlock(vertex)) return []
  const target = targetInFlow(context, vertex)
  const references = context.referencesOf.get(vertex) ?? []
  return [
    typeof target === "object" ? vertexAt(context, target) : undefined,
    ...references.map(({ edgeId }) => alongEdge(context, edgeId)),
    following(context, vertex),
  ]
}

/** The entries of chats and events; before version 6 the first start block. */
function entriesOf(context: LintContext): Vertex[] {
  const { flow, blocks, referencesOf } = context
  if (!flow.events) return blocks.filter(({ type }) => type.isStart).slice(0, 1)
  const ofEvents = referencesOf.get(undefined) ?? []
  return ofEvents.flatMap(({ edgeId }) => alongEdge(context, edgeId) ?? [])
}

function alongEdge(context: LintContext, edgeId: string): Vertex | undefined {
  const edge = context.edges.get(edgeId)
  return edge && vertexAt(context, edge.to)
}

/** The next block of the group. */
function following({ blocks }: LintContext, entry: BlockEntry): BlockEntry | undefined {
  const next = blocks[entry.number + 1]
  return next && next.index > 0 ? next : undefined
}

/** Connected unreachable groups. */
type UnreachedPart = {
  /** The group to connect so that chats reach the others, too. */
  head: Group
  /** The number of other groups behind it. */
  others: number
}

/** The unreachable parts of a flow. Groups without blocks do not count. */
export function unreachedParts(context: LintContext): UnreachedPart[] {
  const { groups, isOpen } = reachOf(context)
  if (isOpen) return []
  const unreached = context.flow.groups.filter(
    (group) => !groups.has(group) && group.blocks.length > 0,
  )
  const members = new Set(unreached)
  const entries = groupBy(context.blocks, ({ group }) => group)
  const successorsOf = (group: Group) =>
    (entries.get(group) ?? [])
      .flatMap((entry) => nextOf(context, entry))
      .flatMap((vertex) => (vertex ? groupOf(vertex) : []))
      .filter((next) => members.has(next))
  const covered = new Set<Group>()
  // Components come after those they lead to. Reversed, each head that is not covered yet is a source.
  const components = componentsOf(unreached, successorsOf).toReversed()
  return components.flatMap(([head]) => {
    if (!head || covered.has(head)) return []
    const before = covered.size
    visitDepthFirst(head, successorsOf, covered)
    return { head, others: covered.size - before - 1 }
  })
}

/**
 * Blocks through which a chat could loop without ever waiting for the user: one list for each set of
 * connected loops, its blocks in the order of the flow.
 */
export function endlessLoops(context: LintContext): BlockEntry[][] {
  const reach = reachOf(context)
  const passed = new Set(context.blocks.filter((entry) => reach.blocks.has(entry) && !waits(entry)))
  const [start] = entriesOf(context)
  const loops = new Set<BlockEntry>()
  const components = componentsOf(passed, (entry) => {
    const targets = onwards(context, entry, start)
    const next = targets.filter((vertex): vertex is BlockEntry => passed.has(vertex as BlockEntry))
    if (next.includes(entry)) loops.add(entry)
    return next
  })
  return components
    .filter((component) => component.length > 1 || component.some((entry) => loops.has(entry)))
    .map((loop) => loop.toSorted((one, other) => one.number - other.number))
}

function waits({ block, type }: BlockEntry): boolean {
  return type.kind === "input" || type.waits?.(block) === true
}

/** The successors of a block: a bubble's own edge counts only at the end of its group. */
function onwards(context: LintContext, entry: BlockEntry, start: Vertex | undefined) {
  const { block, type } = entry
  const next = following(context, entry)
  const target = targetInFlow(context, entry)
  const targets: (Vertex | undefined)[] = []
  if (target === "start") targets.push(start)
  else if (typeof target === "object") targets.push(vertexAt(context, target))
  const own = block.outgoingEdgeId
  const isPassed = own !== undefined && next && (type.kind === "bubble" || type.isUnknown)
  for (const { edgeId } of context.referencesOf.get(entry) ?? []) {
    if (edgeId !== own || !isPassed) targets.push(alongEdge(context, edgeId))
  }
  if (own === undefined || isPassed) targets.push(next)
  return targets
}

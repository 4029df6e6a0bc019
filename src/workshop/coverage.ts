/** Measures test coverage of a bot: groups, blocks, edges and ways of conditions. */
import { placeInFlow } from "../authoring/lint/location.ts"
import type { Flow } from "../engine/bot.ts"
import type { Turn } from "../engine/turn/run.ts"
import { cut } from "../lib/cut.ts"
import { firstBy } from "../lib/groupBy.ts"
import {
  type BlockFacts,
  type Exit,
  type FlowFacts,
  factsOf,
  groupOf,
} from "./explore/flowFacts.ts"

/** The total number, and the number reached by tests. */
export type Share = { total: number; reached: number }

/** Coverage of a bot by tests. */
export type Coverage = {
  groups: Share
  blocks: Share
  edges: Share
  /** The ways out of conditions, the last of each being the else way. */
  conditions: Share
  /** Places that no test reached, without places inside of listed ones. */
  missed: string[]
}

/** Collects the coverage of one bot. */
export type Reached = ReturnType<typeof createReached>

export function createReached(flow: Flow) {
  const facts = factsOf(flow)
  const blocks = new Set<string>()
  const edges = new Set<string>()
  const ways = new Set<string>()
  return {
    /** Ids of the passed elements. */
    blocks,
    edges,
    /** Records the elements that a turn passed, of the bot with this version. */
    note(trail: NonNullable<Turn["trail"]>, version: string) {
      for (const [place, step] of trail.entries()) {
        if (step.version !== version) continue
        blocks.add(step.blockId)
        if (step.edgeId !== undefined) edges.add(step.edgeId)
        const known = facts.blocks.get(step.blockId)
        if (!known || !isCondition(known)) continue
        const { group, index } = known.entry
        const next = group.blocks[index + 1]
        const isNext = next !== undefined && trail[place + 1]?.blockId === next.id
        ways.add(`${step.blockId} ${step.edgeId ?? (isNext ? "next" : "end")}`)
      }
    },
    coverage: () => coverageOf(facts, { blocks, edges, ways }),
  }
}

type Sets = Record<"blocks" | "edges" | "ways", ReadonlySet<string>>

function coverageOf(facts: FlowFacts, reached: Sets): Coverage {
  const { flow } = facts
  const blocks = [...facts.blocks.values()]
  const missedBlocks = blocks.filter(({ entry }) => !reached.blocks.has(entry.block.id))
  const groups = flow.groups.filter((group) => group.blocks.length > 0)
  const missedGroups = groups.filter(
    (group) => !group.blocks.some(({ id }) => reached.blocks.has(id)),
  )
  const ways = blocks.filter(isCondition).flatMap((known) => waysOf(known, flow))
  const missedWays = ways.filter(({ blockId, key }) => !reached.ways.has(`${blockId} ${key}`))
  const edges = edgesOf(facts)
  const missedEdges = edges.filter(({ key }) => !reached.edges.has(key))
  const gone = new Set(missedGroups)
  // A missed way is listed instead of its edge.
  const listed = new Set(missedWays.map(({ key }) => key))
  const left = [...missedWays, ...missedEdges.filter(({ key }) => !listed.has(key))]
  return {
    groups: shareOf(groups, missedGroups),
    blocks: shareOf(blocks, missedBlocks),
    edges: shareOf(edges, missedEdges),
    conditions: shareOf(ways, missedWays),
    missed: [
      ...missedGroups.map((group) => placeOf(["groups", flow.groups.indexOf(group)], flow)),
      ...missedBlocks
        .filter(({ entry }) => !gone.has(entry.group))
        .map(({ entry }) => placeOf(entry.path, flow)),
      ...left.filter(({ blockId }) => reached.blocks.has(blockId)).map(({ place }) => place),
    ],
  }
}

/** A way out of a block: along an edge, to the next block or to the end of the path. */
type Way = { blockId: string; key: string; place: string }

/** Every edge from a block to a group; trails do not contain edges of events. */
function edgesOf({ blocks, flow }: FlowFacts): Way[] {
  const all = [...blocks].flatMap(([blockId, { exits }]) =>
    exits.flatMap(({ edgeId, to, path, item }): Way[] => {
      if (edgeId === undefined || !to) return []
      const from = `${placeOf(path, flow)}${item === undefined ? " ›" : ","}`
      return [{ key: edgeId, blockId, place: `${from} edge to Group "${cut(groupOf(to).title)}"` }]
    }),
  )
  return [...firstBy(all, ({ key }) => key).values()]
}

function isCondition({ entry: { type } }: BlockFacts): boolean {
  return type.conditions !== undefined && type.needsItemEdges === true
}

function waysOf({ entry, exits }: BlockFacts, flow: Flow): Way[] {
  return exits.map((exit) => ({
    blockId: entry.block.id,
    key: keyOf(exit),
    place: `${placeOf(exit.path, flow)}${exit.item === undefined ? " › else" : ""}`,
  }))
}

function keyOf({ edgeId, to, item }: Exit): string {
  if (!to) return "end"
  return edgeId ?? (item === undefined ? "next" : "end")
}

function shareOf(all: readonly unknown[], missed: readonly unknown[]): Share {
  return { total: all.length, reached: all.length - missed.length }
}

function placeOf(path: Exit["path"], flow: Flow): string {
  return placeInFlow(path, flow) ?? "Bot"
}

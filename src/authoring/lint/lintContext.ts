/** The input of rules: a flow with shared lookup tables. */
import type { Flow, Group } from "../../engine/bot.ts"
import type { Edge } from "../../engine/schema/edge.ts"
import { singleToken } from "../../engine/variables/interpolate.ts"
import { firstBy, groupBy } from "../../lib/groupBy.ts"
import { type BlockEntry, blocksIn } from "./blockEntries.ts"
import { type FlowText, type FlowTexts, textsOf } from "./flowTexts.ts"
import type { Path } from "./location.ts"

/** Facts about the service that the bot is meant for; absent members are unknown. */
export type Surroundings = {
  /** Id of the bot itself; a link to it leads into the same flow. */
  botId?: string
  /**
   * The credentials of the workspace, as far as the flow names them: by their ids, the hosts that each may be
   * sent to besides its provider's.
   */
  credentials?: ReadonlyMap<string, readonly string[]>
  /** The variables of the workspace by name, and whether each is a secret. */
  variables?: ReadonlyMap<string, boolean>
  /** The bots of the workspace, as far as the flow links to them. */
  botIds?: ReadonlySet<string>
  /** Flows of bots that it links to, by their ids. */
  linked?: ReadonlyMap<string, Flow>
  /** The files that authors keep for the bot, with their keys in the store. */
  files?: readonly { name: string; key: string }[]
}

/** An `outgoingEdgeId`. */
export type EdgeReference = {
  path: Path
  edgeId: string
  /** The block it leaves; absent: an event. */
  entry: BlockEntry | undefined
  /** Whether it is the block's own, not that of an item. */
  isOwn: boolean
}

export type LintContext = FlowTexts & {
  flow: Flow
  surroundings: Surroundings
  blocks: readonly BlockEntry[]
  /** Of several equal ids the first, as in chats. */
  groups: ReadonlyMap<string, Group>
  edges: ReadonlyMap<string, Edge>
  /** The blocks of each group by id, of several equal ids the first; empty groups are absent. */
  blocksOf: ReadonlyMap<Group, ReadonlyMap<string, BlockEntry>>
  edgeReferences: readonly EdgeReference[]
  /** The references of a block, including those of its items; undefined: those of the events. */
  referencesOf: ReadonlyMap<BlockEntry | undefined, readonly EdgeReference[]>
  /** Path of an edge by its index in the flow. */
  edgePath(index: number): Path
}

/** `edgeIndexes`: the indexes of the edges in the input, if parsing dropped some. */
export function lintContextOf(
  flow: Flow,
  surroundings: Surroundings = {},
  edgeIndexes?: readonly number[],
): LintContext {
  const blocks = blocksIn(flow)
  const texts = textsOf(flow, blocks)
  const edgeReferences = texts.texts
    .filter(({ path }) => path.at(-1) === "outgoingEdgeId")
    .map(edgeReferenceOf)
  return {
    flow,
    surroundings,
    blocks,
    groups: firstBy(flow.groups, ({ id }) => id),
    edges: firstBy(flow.edges, ({ id }) => id),
    blocksOf: new Map(
      [...groupBy(blocks, ({ group }) => group)].map(([group, entries]) => [
        group,
        firstBy(entries, ({ block }) => block.id),
      ]),
    ),
    edgeReferences,
    referencesOf: groupBy(edgeReferences, ({ entry }) => entry),
    ...texts,
    edgePath: (index) => ["edges", edgeIndexes?.[index] ?? index],
  }
}

/** A block, or a group without blocks. */
export type Vertex = BlockEntry | Group

/** The target of an edge or a jump; undefined: none. */
export function vertexAt(
  { groups, blocksOf }: LintContext,
  to: { groupId: string; blockId?: string | undefined },
): Vertex | undefined {
  const group = groups.get(to.groupId)
  const blocks = group && blocksOf.get(group)
  if (!blocks) return group
  const named = to.blockId === undefined ? undefined : blocks.get(to.blockId)
  return named ?? blocks.values().next().value
}

export function hasBlock({ blocksOf }: LintContext, group: Group, blockId: string): boolean {
  return blocksOf.get(group)?.has(blockId) === true
}

/** A group, and perhaps a block, of the same flow that a block leads to without an edge. */
type TargetInFlow = { path: Path; groupId: string; blockId?: string | undefined }

/**
 * The target of a block within its own flow without an edge; "anywhere": a variable decides; undefined: none,
 * or in another bot.
 */
export function targetInFlow(
  context: LintContext,
  entry: BlockEntry,
): TargetInFlow | "start" | "anywhere" | undefined {
  const target = entry.type.staticTarget?.(entry.block)
  if (!target || !isOwnBot(context, target.botId)) return undefined
  const { at, groupId, blockId } = target
  if (!groupId) return "start"
  if (singleToken(groupId) !== undefined) return "anywhere"
  return { path: [...entry.path, ...at], groupId, blockId: blockId || undefined }
}

/** Whether an id stands for the bot itself. */
export function isOwnBot({ surroundings }: LintContext, botId: string | undefined): boolean {
  return botId === undefined || botId === "current" || botId === surroundings.botId
}

function edgeReferenceOf({ path, text: edgeId, entry }: FlowText): EdgeReference {
  const isOwn = path.length === (entry ? entry.path.length : 2) + 1
  return { path, edgeId, entry, isOwn }
}

/** A flow with everything looked up that rules ask for more than once. */
import { type Block, type BlockType, typeOf } from "../blocks/registry.ts"
import type { Flow, Group } from "../bot.ts"
import type { Edge } from "../schema/edge.ts"
import { singleToken } from "../variables/interpolate.ts"
import type { Surroundings } from "./finding.ts"
import type { Path } from "./place.ts"
import { type FlowText, textsOf } from "./texts.ts"

/** A block and where it stands. */
export type Site = {
  /** Number of the block within the flow, from 0. */
  number: number
  block: Block
  type: BlockType
  group: Group
  /** Index within the group. */
  index: number
  path: Path
}

/** A text that names the edge to follow. */
export type Exit = {
  /** Where it stands. */
  path: Path
  edgeId: string
  /** The block it leaves; absent: an event. */
  site: Site | undefined
  /** Whether it is the block's own, not that of an item. */
  isOwn: boolean
}

/** What rules look at. */
export type Subject = {
  flow: Flow
  surroundings: Surroundings
  sites: readonly Site[]
  /** Of several equal ids the first, as in chats. */
  groups: ReadonlyMap<string, Group>
  edges: ReadonlyMap<string, Edge>
  /** The first block of each group; none for empty ones. */
  firstSites: ReadonlyMap<Group, Site>
  exits: readonly Exit[]
  texts: readonly FlowText[]
  /** Path of an edge by its index in the flow. */
  edgePath(index: number): Path
}

/** `edgeIndexes`: where the edges of the flow stood in the input, when some of it were dropped. */
export function subjectOf(
  flow: Flow,
  surroundings: Surroundings,
  edgeIndexes?: readonly number[],
): Subject {
  const sites = sitesOf(flow)
  const texts = textsOf(flow, sites)
  const firstSites = new Map<Group, Site>()
  for (const site of sites) if (site.index === 0) firstSites.set(site.group, site)
  return {
    flow,
    surroundings,
    sites,
    groups: firstById(flow.groups),
    edges: firstById(flow.edges),
    firstSites,
    exits: exitsOf(texts),
    texts,
    edgePath: (index) => ["edges", edgeIndexes?.[index] ?? index],
  }
}

/** Where a place of the flow is: its block, else "empty" for a group without; undefined: nowhere. */
export function landing(
  subject: Subject,
  to: { groupId: string; blockId?: string | undefined },
): Site | "empty" | undefined {
  const group = subject.groups.get(to.groupId)
  if (!group) return undefined
  const first = subject.firstSites.get(group)
  if (!first) return "empty"
  const index = group.blocks.findIndex(({ id }) => id === to.blockId)
  return subject.sites[first.number + Math.max(index, 0)]
}

/** The group of this flow that a block leads to without an edge. */
export type OwnLead = { path: Path; groupId: string; blockId?: string | undefined }

/**
 * Where a block leads within its own flow without an edge; "anywhere" when a variable decides, and
 * undefined when it leads nowhere, or into another bot.
 */
export function ownLead(subject: Subject, site: Site): OwnLead | "start" | "anywhere" | undefined {
  const lead = site.type.leads?.(site.block)
  if (!lead || !isOwnBot(subject, lead.botId)) return undefined
  if (!lead.groupId) return "start"
  if (singleToken(lead.groupId) !== undefined) return "anywhere"
  const path = [...site.path, ...lead.at]
  return { path, groupId: lead.groupId, blockId: lead.blockId || undefined }
}

/** Whether an id stands for the bot itself. */
export function isOwnBot({ surroundings }: Subject, botId: string | undefined): boolean {
  return botId === undefined || botId === "current" || botId === surroundings.botId
}

function sitesOf(flow: Flow): Site[] {
  const sites: Site[] = []
  flow.groups.forEach((group, at) => {
    group.blocks.forEach((block, index) => {
      const path = ["groups", at, "blocks", index]
      sites.push({ number: sites.length, block, type: typeOf(block), group, index, path })
    })
  })
  return sites
}

function exitsOf(texts: readonly FlowText[]): Exit[] {
  return texts.flatMap(({ path, text, site }) => {
    if (path.at(-1) !== "outgoingEdgeId") return []
    const isOwn = path.length === (site ? site.path.length : 2) + 1
    return [{ path, edgeId: text, site, isOwn }]
  })
}

function firstById<T extends { id: string }>(parts: readonly T[]): Map<string, T> {
  const first = new Map<string, T>()
  for (const part of parts) if (!first.has(part.id)) first.set(part.id, part)
  return first
}

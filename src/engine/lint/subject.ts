/** A flow with everything looked up that rules ask for more than once. */
import type { Flow, Group } from "../bot.ts"
import type { Edge } from "../schema/edge.ts"
import { singleToken } from "../variables/interpolate.ts"
import type { Path } from "./location.ts"
import { type Site, sitesOf } from "./sites.ts"
import { type FlowText, type FlowTexts, textsOf } from "./texts.ts"

/** What is known of the service that the bot is meant for; absent members are not known. */
export type Surroundings = {
  /** Id of the bot itself; a link to it leads into the same flow. */
  botId?: string
  /** Every credential of the workspace that the flow names. */
  credentialIds?: ReadonlySet<string>
  /** By the id of a credential the hosts that it may be sent to besides its provider's. */
  allowedHosts?: ReadonlyMap<string, readonly string[]>
  /** Every bot of the workspace that the flow links to. */
  botIds?: ReadonlySet<string>
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
export type Subject = FlowTexts & {
  flow: Flow
  surroundings: Surroundings
  sites: readonly Site[]
  /** Of several equal ids the first, as in chats. */
  groups: ReadonlyMap<string, Group>
  edges: ReadonlyMap<string, Edge>
  /** The blocks of each group by their ids, of several equal ones the first; none for empty groups. */
  members: ReadonlyMap<Group, ReadonlyMap<string, Site>>
  exits: readonly Exit[]
  /** The exits of a block, those of its items included; absent: none. */
  exitsBySite: ReadonlyMap<Site, readonly Exit[]>
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
  const exits = texts.edgeIds.map(exitOf)
  return {
    flow,
    surroundings,
    sites,
    groups: firstById(flow.groups),
    edges: firstById(flow.edges),
    members: membersOf(sites),
    exits,
    exitsBySite: exitsBySite(exits),
    ...texts,
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
  const members = subject.members.get(group)
  if (!members) return "empty"
  const named = to.blockId === undefined ? undefined : members.get(to.blockId)
  return named ?? members.values().next().value
}

/** Whether a group has a block with that id. */
export function hasMember({ members }: Subject, group: Group, blockId: string): boolean {
  return members.get(group)?.has(blockId) === true
}

/** The group of this flow that a block leads to without an edge. */
export type OwnLead = { path: Path; groupId: string; blockId?: string | undefined }

/**
 * Where a block leads within its own flow without an edge; "anywhere" when a variable decides, and
 * undefined when it leads nowhere, or into another bot.
 */
export function ownLead(subject: Subject, site: Site): OwnLead | "start" | "anywhere" | undefined {
  const lead = site.type.staticTarget?.(site.block)
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

function membersOf(sites: readonly Site[]): Map<Group, Map<string, Site>> {
  const members = new Map<Group, Map<string, Site>>()
  for (const site of sites) {
    const { group, block } = site
    const own = members.get(group) ?? new Map<string, Site>()
    if (own.size === 0) members.set(group, own)
    if (!own.has(block.id)) own.set(block.id, site)
  }
  return members
}

function exitOf({ path, text: edgeId, site }: FlowText): Exit {
  const isOwn = path.length === (site ? site.path.length : 2) + 1
  return { path, edgeId, site, isOwn }
}

function exitsBySite(exits: readonly Exit[]): Map<Site, Exit[]> {
  const bySite = new Map<Site, Exit[]>()
  for (const exit of exits) {
    if (!exit.site) continue
    const known = bySite.get(exit.site)
    if (known) known.push(exit)
    else bySite.set(exit.site, [exit])
  }
  return bySite
}

function firstById<T extends { id: string }>(parts: readonly T[]): Map<string, T> {
  const first = new Map<string, T>()
  for (const part of parts) if (!first.has(part.id)) first.set(part.id, part)
  return first
}

/** Where chats can get to in a flow, and where they could go round without a stop. */
import type { Group } from "../bot.ts"
import { landing, ownLead, type Site, type Subject } from "./subject.ts"

/** What chats can reach. */
export type Reach = {
  groups: ReadonlySet<Group>
  sites: ReadonlySet<Site>
  /** Whether a variable decides about a jump, so that any group may be reached. */
  isOpen: boolean
}

const known = new WeakMap<Subject, Reach>()

/** What chats can reach at most: every edge counts, whatever conditions say. */
export function reachOf(subject: Subject): Reach {
  const earlier = known.get(subject)
  if (earlier) return earlier
  const reach = explore(subject)
  known.set(subject, reach)
  return reach
}

function explore(subject: Subject): Reach {
  const groups = new Set<Group>()
  const sites = new Set<Site>()
  let isOpen = false
  const waiting: Vertex[] = entriesOf(subject)
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    if (!("block" in place)) {
      groups.add(place)
      continue
    }
    if (sites.has(place)) continue
    sites.add(place)
    groups.add(place.group)
    const lead = ownLead(subject, place)
    isOpen ||= lead === "anywhere"
    if (typeof lead === "object") waiting.push(...placeOf(subject, lead))
    for (const edgeId of subject.edgeIds.get(place) ?? [])
      waiting.push(...targetOf(subject, edgeId))
    waiting.push(...following(subject, place))
  }
  return { groups, sites, isOpen }
}

/** A block, or a group without blocks. */
type Vertex = Site | Group

/** Where chats begin, and where events take them; before version 6 at the first start block. */
function entriesOf(subject: Subject): Vertex[] {
  const { flow, sites, exits } = subject
  if (flow.events) {
    return exits.flatMap(({ site, edgeId }) => (site ? [] : targetOf(subject, edgeId)))
  }
  return sites.filter(({ type }) => type.isStart).slice(0, 1)
}

function targetOf(subject: Subject, edgeId: string): Vertex[] {
  const edge = subject.edges.get(edgeId)
  return edge ? placeOf(subject, edge.to) : []
}

function placeOf(
  subject: Subject,
  to: { groupId: string; blockId?: string | undefined },
): Vertex[] {
  const place = landing(subject, to)
  const group = subject.groups.get(to.groupId)
  if (place === "empty") return group ? [group] : []
  return place ? [place] : []
}

function following({ sites }: Subject, site: Site): Site[] {
  const next = sites[site.number + 1]
  return next && next.index > 0 ? [next] : []
}

/**
 * Blocks among which a chat could go round without ever waiting for its user, one list for each
 * knot of such ways, the blocks in the order of the flow.
 */
export function endlessKnots(subject: Subject): Site[][] {
  const reach = reachOf(subject)
  const isHasty = (site: Site) => reach.sites.has(site) && !waits(site)
  const ways = new Map<Site, Site[]>()
  const entry = entriesOf(subject).slice(0, 1)
  for (const site of subject.sites) {
    if (isHasty(site)) ways.set(site, hastyWays(subject, site, entry).filter(isHasty))
  }
  const knots = knotsOf(ways)
  return knots.map((knot) => knot.toSorted((one, other) => one.number - other.number))
}

function waits({ block, type }: Site): boolean {
  return type.kind === "input" || type.waits?.(block) === true
}

/** Where the walk may go on from a block: a bubble's own edge counts only at the end of its group. */
function hastyWays(subject: Subject, site: Site, entry: Vertex[]): Site[] {
  const { block, type } = site
  const next = following(subject, site)
  const lead = ownLead(subject, site)
  const targets: Vertex[] = []
  if (lead === "start") targets.push(...entry)
  else if (typeof lead === "object") targets.push(...placeOf(subject, lead))
  const own = block.outgoingEdgeId
  const isPassed =
    own !== undefined && next.length > 0 && (type.kind === "bubble" || type.isUnknown)
  for (const edgeId of subject.edgeIds.get(site) ?? []) {
    if (edgeId !== own || !isPassed) targets.push(...targetOf(subject, edgeId))
  }
  const goesOn = own === undefined || isPassed
  return [...targets.filter((place): place is Site => "block" in place), ...(goesOn ? next : [])]
}

/** Strongly connected parts with a way inside (Tarjan 1972, without recursion). */
function knotsOf(ways: ReadonlyMap<Site, readonly Site[]>): Site[][] {
  const found: Site[][] = []
  const order = new Map<Site, number>()
  const low = new Map<Site, number>()
  const open: Site[] = []
  const isOpen = new Set<Site>()
  const enter = (site: Site) => {
    low.set(site, order.size)
    order.set(site, order.size)
    open.push(site)
    isOpen.add(site)
    return { site, at: 0 }
  }
  const sink = (site: Site, depth: number | undefined) => {
    low.set(site, Math.min(low.get(site) ?? 0, depth ?? 0))
  }
  const leave = (site: Site) => {
    if (low.get(site) !== order.get(site)) return
    const knot = open.splice(open.lastIndexOf(site))
    for (const member of knot) isOpen.delete(member)
    if (knot.length > 1 || ways.get(site)?.includes(site)) found.push(knot)
  }
  for (const root of ways.keys()) {
    const trail = order.has(root) ? [] : [enter(root)]
    for (let here = trail.at(-1); here; here = trail.at(-1)) {
      const next = ways.get(here.site)?.[here.at++]
      if (next === undefined) {
        trail.pop()
        leave(here.site)
        const above = trail.at(-1)
        if (above) sink(above.site, low.get(here.site))
      } else if (!order.has(next)) trail.push(enter(next))
      else if (isOpen.has(next)) sink(here.site, order.get(next))
    }
  }
  return found
}

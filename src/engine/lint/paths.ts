/** Where chats can get to in a flow, and where they could go round without a stop. */
import type { Group } from "../bot.ts"
import type { Site } from "./sites.ts"
import { landing, ownLead, type Subject } from "./subject.ts"

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
  const add = (place: Vertex | undefined) => {
    if (place) waiting.push(place)
  }
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
    if (typeof lead === "object") add(placeOf(subject, lead))
    for (const { edgeId } of subject.exitsBySite.get(place) ?? []) add(targetOf(subject, edgeId))
    add(following(subject, place))
  }
  return { groups, sites, isOpen }
}

/** A block, or a group without blocks. */
type Vertex = Site | Group

/** Where chats begin, and where events take them; before version 6 at the first start block. */
function entriesOf(subject: Subject): Vertex[] {
  const { flow, sites, exits } = subject
  if (!flow.events) return sites.filter(({ type }) => type.isStart).slice(0, 1)
  const targets = exits.map(({ site, edgeId }) => (site ? undefined : targetOf(subject, edgeId)))
  return targets.filter((target) => target !== undefined)
}

function targetOf(subject: Subject, edgeId: string): Vertex | undefined {
  const edge = subject.edges.get(edgeId)
  return edge && placeOf(subject, edge.to)
}

function placeOf(
  subject: Subject,
  to: { groupId: string; blockId?: string | undefined },
): Vertex | undefined {
  const place = landing(subject, to)
  return place === "empty" ? subject.groups.get(to.groupId) : place
}

function following({ sites }: Subject, site: Site): Site | undefined {
  const next = sites[site.number + 1]
  return next && next.index > 0 ? next : undefined
}

/**
 * Blocks among which a chat could go round without ever waiting for its user, one list for each
 * knot of such ways, the blocks in the order of the flow.
 */
export function endlessKnots(subject: Subject): Site[][] {
  const reach = reachOf(subject)
  const hasty = new Set(subject.sites.filter((site) => reach.sites.has(site) && !waits(site)))
  const [entry] = entriesOf(subject)
  const waysOf = (site: Site) => {
    const targets = onwards(subject, site, entry)
    return targets.filter((place): place is Site => hasty.has(place as Site))
  }
  const knots = knotsOf(hasty, waysOf)
  return knots.map((knot) => knot.toSorted((one, other) => one.number - other.number))
}

function waits({ block, type }: Site): boolean {
  return type.kind === "input" || type.waits?.(block) === true
}

/** Where the walk may go on from a block: a bubble's own edge counts only at the end of its group. */
function onwards(subject: Subject, site: Site, entry: Vertex | undefined) {
  const { block, type } = site
  const next = following(subject, site)
  const lead = ownLead(subject, site)
  const targets: (Vertex | undefined)[] = []
  if (lead === "start") targets.push(entry)
  else if (typeof lead === "object") targets.push(placeOf(subject, lead))
  const own = block.outgoingEdgeId
  const isPassed = own !== undefined && next && (type.kind === "bubble" || type.isUnknown)
  for (const { edgeId } of subject.exitsBySite.get(site) ?? []) {
    if (edgeId !== own || !isPassed) targets.push(targetOf(subject, edgeId))
  }
  if (own === undefined || isPassed) targets.push(next)
  return targets
}

/** Strongly connected parts with a way inside (Tarjan 1972, without recursion). */
function knotsOf(sites: Iterable<Site>, waysOf: (site: Site) => Site[]): Site[][] {
  const found: Site[][] = []
  // By the number of the site.
  const order: number[] = []
  const low: number[] = []
  const isOpen: boolean[] = []
  const open: Site[] = []
  let entered = 0
  const enter = (site: Site) => {
    order[site.number] = low[site.number] = entered++
    isOpen[site.number] = true
    open.push(site)
    return { site, ways: waysOf(site), at: 0 }
  }
  const sink = ({ number }: Site, depth = 0) => {
    low[number] = Math.min(low[number] ?? 0, depth)
  }
  const leave = (site: Site, ways: readonly Site[]) => {
    if (low[site.number] !== order[site.number]) return
    const knot = open.splice(open.lastIndexOf(site))
    for (const { number } of knot) isOpen[number] = false
    if (knot.length > 1 || ways.includes(site)) found.push(knot)
  }
  for (const root of sites) {
    const trail = order[root.number] === undefined ? [enter(root)] : []
    for (let here = trail.at(-1); here; here = trail.at(-1)) {
      const next = here.ways[here.at++]
      if (next === undefined) {
        trail.pop()
        leave(here.site, here.ways)
        const above = trail.at(-1)
        if (above) sink(above.site, low[here.site.number])
      } else if (order[next.number] === undefined) trail.push(enter(next))
      else if (isOpen[next.number]) sink(here.site, order[next.number])
    }
  }
  return found
}

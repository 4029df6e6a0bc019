/** Parts of a flow that no chat reaches, each told of once. */
import type { Group } from "../bot.ts"
import { reachOf } from "./paths.ts"
import { ownLead, type Subject } from "./subject.ts"

/** Groups that hang together and that nothing leads to. */
export type Island = {
  /** The group to connect, so that chats reach the others, too. */
  head: Group
  /** How many other groups lie behind it. */
  others: number
}

type Ways = ReadonlyMap<Group, readonly Group[]>

/** The islands of a flow. Groups without blocks count for nothing. */
export function islandsOf(subject: Subject): Island[] {
  const { groups, isOpen } = reachOf(subject)
  if (isOpen) return []
  const unreached = subject.flow.groups.filter(
    (group) => !groups.has(group) && group.blocks.length > 0,
  )
  const ways = waysAmong(subject, new Set(unreached))
  // Whatever leads into a part of a graph is left later than all of that part (Kosaraju 1978).
  const seen = new Set<Group>()
  const lastLeft = unreached.flatMap((group) => behind(group, ways, seen)).toReversed()
  const covered = new Set<Group>()
  return lastLeft.flatMap((head) => {
    const island = behind(head, ways, covered)
    return island.length === 0 ? [] : [{ head, others: island.length - 1 }]
  })
}

/** What lies behind a group, itself included, without what was seen before; in order of leaving. */
function behind(from: Group, ways: Ways, seen: Set<Group>): Group[] {
  if (seen.has(from)) return []
  seen.add(from)
  const left: Group[] = []
  const trail = [{ group: from, at: 0 }]
  for (let here = trail.at(-1); here; here = trail.at(-1)) {
    const next = ways.get(here.group)?.[here.at++]
    if (next === undefined) {
      left.push(here.group)
      trail.pop()
    } else if (!seen.has(next)) {
      seen.add(next)
      trail.push({ group: next, at: 0 })
    }
  }
  return left
}

function waysAmong(subject: Subject, members: ReadonlySet<Group>): Ways {
  const { exits, edges, groups, sites } = subject
  const ways = new Map<Group, Group[]>()
  const add = (from: Group, groupId: string | undefined) => {
    const to = groupId === undefined ? undefined : groups.get(groupId)
    if (!to || to === from || !members.has(from) || !members.has(to)) return
    const known = ways.get(from)
    if (known) known.push(to)
    else ways.set(from, [to])
  }
  for (const { site, edgeId } of exits) if (site) add(site.group, edges.get(edgeId)?.to.groupId)
  for (const site of sites) {
    const lead = ownLead(subject, site)
    if (typeof lead === "object") add(site.group, lead.groupId)
  }
  return ways
}

/** Merges what two authors made of one JSON value. */
import { isEqual, isMembers, keysOf, type Members, memberOf } from "../../lib/json.ts"

/** A member that both authors changed; the path names entries of lists by their ids. */
export type Clash = { path: readonly string[]; before: unknown; mine: unknown; theirs: unknown }

type Three = { before: unknown; mine: unknown; theirs: unknown }

/**
 * The value with the changes of both, member by member; of a member that both changed, theirs, and `onClash` hears
 * of it. Lists are merged entry by entry where the entries have ids.
 */
export function mergeMembers(three: Three, onClash: (clash: Clash) => void): unknown {
  return merge(three, [], onClash)
}

/** Members by which an object says what the others mean: half of each author's would mean nothing. */
const deciding = ["type", "action", "task"]

/** Texts with formats, whose parts make no sense apart. */
const wholeNames: ReadonlySet<string> = new Set(["richText"])

function merge(three: Three, path: readonly string[], onClash: (clash: Clash) => void): unknown {
  const { before, mine, theirs } = three
  if (isEqual(mine, before)) return theirs
  if (isEqual(theirs, before) || isEqual(mine, theirs)) return mine
  const name = path.at(-1) ?? ""
  // Edges are edits of their own.
  if (name === "outgoingEdgeId") return theirs
  // Where a group stands is no question to ask anybody: the last one who moved it wins.
  if (name === "graphCoordinates") return mine
  const inner = (key: string, part: Three) => merge(part, [...path, key], onClash)
  if (!wholeNames.has(name)) {
    const merged = mergeObjects(three, inner) ?? mergeLists(three, inner)
    if (merged !== undefined) return merged
  }
  onClash({ path, before, mine, theirs })
  return theirs
}

type Inner = (key: string, part: Three) => unknown

function mergeObjects({ before = {}, mine, theirs }: Three, inner: Inner): Members | undefined {
  if (!isMembers(before) || !isMembers(mine) || !isMembers(theirs)) return undefined
  const three = (name: string): Three => ({
    before: memberOf(before, name),
    mine: memberOf(mine, name),
    theirs: memberOf(theirs, name),
  })
  for (const name of deciding) {
    const { before: was, mine: own, theirs: other } = three(name)
    if (!isEqual(was, own) || !isEqual(was, other)) return undefined
  }
  const names = keysOf(mine, theirs)
  const merged = names.map((name): [string, unknown] => [name, inner(name, three(name))])
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

/** Merges lists whose entries have ids; undefined: they have none, or one was removed and changed at once. */
function mergeLists({ before = [], mine, theirs }: Three, inner: Inner): unknown[] | undefined {
  const [was, own, other] = [entriesOf(before), entriesOf(mine), entriesOf(theirs)]
  if (!was || !own || !other) return undefined
  for (const [id, entry] of was) {
    const left = own.get(id) ?? other.get(id)
    if (own.has(id) !== other.has(id) && !isEqual(left, entry)) return undefined
  }
  return mergeOrder([...was.keys()], [...own.keys()], [...other.keys()]).map((id) =>
    own.has(id) && other.has(id)
      ? inner(id, { before: was.get(id), mine: own.get(id), theirs: other.get(id) })
      : (own.get(id) ?? other.get(id)),
  )
}

function entriesOf(list: unknown): Map<string, unknown> | undefined {
  if (!Array.isArray(list)) return undefined
  const entries = new Map<string, unknown>()
  for (const entry of list) {
    const id = isMembers(entry) ? memberOf(entry, "id") : undefined
    if (typeof id !== "string" || entries.has(id)) return undefined
    entries.set(id, entry)
  }
  return entries
}

/** The order of the one who changed it; what the other added follows what it followed there. */
function mergeOrder(was: string[], own: string[], other: string[]): string[] {
  const [base, added] = isEqual(other, was) ? [own, other] : [other, own]
  const before = new Set(was)
  const [inOwn, inOther] = [new Set(own), new Set(other)]
  const merged = base.filter((id) => !before.has(id) || (inOwn.has(id) && inOther.has(id)))
  for (const [at, id] of added.entries()) {
    if (before.has(id) || merged.includes(id)) continue
    merged.splice(merged.indexOf(added[at - 1] ?? "") + 1, 0, id)
  }
  return merged
}

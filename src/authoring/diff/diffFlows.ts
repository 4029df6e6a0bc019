/** Finds every meaningful difference between two flows. */

import type { Flow } from "../../engine/bot.ts"
import { measure, unmetered } from "../../engine/budget/fuel.ts"
import { tooExpensive } from "../../lib/errors.ts"
import { type Difference, differences } from "./differences.ts"
import type { FlowChange } from "./diffSchemas.ts"
import { type Exit, edgeChanges, matchExits } from "./edges.ts"
import { memberChange, moveChange, presenceChange } from "./flowChanges.ts"
import { matchParts } from "./matching.ts"
import { itemsOf, type Part } from "./parts.ts"
import { exitName, readSide, type Sides, targetText } from "./side.ts"
import { partsInOrder } from "./walkOrder.ts"

/**
 * The changes from one flow to another, in the order in which a chat reaches the changed parts; removed
 * parts are listed where they were. Parts are matched by id. Coordinates, the order of edges and the
 * order of the members of an object do not count. The time is linear in the size of both flows and of
 * the answer; 422 when the answer is longer than `maxCharacters`.
 */
export function diffFlows(
  before: Flow,
  after: Flow,
  maxCharacters = Number.POSITIVE_INFINITY,
): FlowChange[] {
  const counted = createTally(maxCharacters)
  const sides = { old: readSide(before, true), now: readSide(after, false) }
  matchParts(sides.old.parts, sides.now.parts)
  const parts = partsInOrder(sides)
  const exits: Exit[] = []
  const own = new Map(parts.map((part) => [part, changesOf(part, sides, exits).map(counted)]))
  const { byEdge, others } = matchExits(sides, exits)
  for (const exit of others) own.get(exit.owner)?.push(counted(exitChange(exit, sides)))
  const loose: FlowChange[] = []
  for (const { owner, change } of edgeChanges(sides, byEdge)) {
    const anchor = owner && placed(owner)
    const list = (anchor && own.get(anchor)) ?? loose
    list.push(counted(change))
  }
  return [...[...own.values()].flat(), ...loose]
}

/** Counts the answer while building it, so that none too long to send is held in memory. */
function createTally(maxCharacters: number): (change: FlowChange) => FlowChange {
  let length = 0
  return (change) => {
    length += measure(change, unmetered())
    if (length <= maxCharacters) return change
    throw tooExpensive(
      `The differences exceed ${maxCharacters} characters: compare versions that are closer to each other`,
    )
  }
}

/** The changes of a part itself. Members that name other edges are added to `exits`. */
function changesOf(part: Part, sides: Sides, exits: Exit[]): FlowChange[] {
  const { twin } = part
  if (!twin) return [presenceChange(part, sides)]
  const changes = part.isMoved ? [moveChange(part, sides)] : []
  for (const difference of ownDifferences(twin, part)) {
    const { path, before, after } = difference
    if (path.at(-1) === exitName && isEdgeId(before) && isEdgeId(after)) {
      exits.push({ owner: part, path, before, after })
    } else changes.push(memberChange(part, difference, sides))
  }
  return changes
}

/** Members that only the canvas uses, or whose parts are compared on their own. */
const ignored: Partial<Record<Part["what"], readonly string[]>> = {
  event: ["graphCoordinates"],
  group: ["graphCoordinates", "blocks"],
}

function ownDifferences(old: Part, now: Part): Difference[] {
  const items = itemsOf(now)
  const hasItems = now.what === "block" && items !== undefined && itemsOf(old) !== undefined
  if (!hasItems) return differences(old.value, now.value, ignored[now.what] ?? [])
  const found = differences(old.value, now.value, ["items"])
  const [before, after] = [old.value.items, now.value.items]
  // An empty list and no list differ, though neither has items to compare.
  if (items.length === 0 && (before === undefined) !== (after === undefined)) {
    found.push({ path: ["items"], before: before && [], after })
  }
  return found
}

/** A member that names another edge, while the edges themselves stay. */
function exitChange({ owner, path, before, after }: Exit, sides: Sides): FlowChange {
  return {
    ...memberChange(owner, { path, before, after }, sides),
    before: targetText(before, sides.old) ?? before,
    after: targetText(after, sides.now) ?? after,
  }
}

/** The part under which changes of an edge are listed. */
function placed(owner: Part): Part | undefined {
  const part = (owner.isOld && owner.twin) || owner
  return part.what === "item" && !part.parent?.twin ? part.parent : part
}

function isEdgeId(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string"
}

/** Distinguishes places that may continue differently. */
import { createHash } from "node:crypto"
import type { Condition } from "../../engine/schema/condition.ts"
import { currentOf } from "../../engine/session.ts"
import { memoize } from "../../lib/memoize.ts"
import { rootVersion } from "../play/play.ts"
import { deciding, type FlowFacts } from "./flowFacts.ts"
import type { Place } from "./walks.ts"
import { outcomesOf } from "./witnesses.ts"

/** Max conditions evaluated per place; with more, values are compared instead. */
const maxConditions = 500

export type StateKey = {
  /** Equal for places that continue alike. */
  exact: string
  /** Equal for places that continue alike by their current conditions, for any sums and lists. */
  rough: string
}

/**
 * Equal for places that continue alike: the same position and queue, the same outcome of every condition, the
 * same values wherever more than a condition depends on them, the same variables set by then.
 */
export function stateKey({ session, sofar, turn }: Place, facts: FlowFacts): StateKey {
  const current = currentOf(session)
  const position = session.queue.map((each) => {
    return [each.version, each.queued, each.resumesAt, each.isMerging]
  })
  const mark = session.mark && [session.mark.blockId, session.mark.isCalled, session.mark.isAgain]
  const how = deciding(facts)
  const isRoot = current.version === rootVersion
  const isTried = isRoot && facts.conditions.length <= maxConditions
  const values = current.values.filter(([id]) => how.has(id))
  const outcomes = isTried ? outcomesOf(facts.conditions, values, facts) : ""
  // A partly fulfilled condition matters once a later reply fulfils the rest.
  const parts = isTried ? outcomesOf(partsOf(facts), values, facts) : ""
  const full = isRoot
    ? values.filter(([id]) => !isTried || how.get(id) === "full")
    : session.queue.map((each) => each.values)
  const set = [...facts.names.keys()].filter((id) => sofar.set.has(id))
  const items = turn.input && "items" in turn.input ? turn.input.items : undefined
  const where = [session.at, position, mark]
  const state = [...where, outcomes, set, sofar.hasSpoken, items]
  return { exact: hashOf([state, parts, full.toSorted()]), rough: hashOf(state) }
}

/** The comparisons of conditions that have several, each as a condition. */
const partsOf = memoize(({ conditions }: FlowFacts): Condition[] =>
  conditions
    .flatMap(({ comparisons = [] }) => (comparisons.length > 1 ? comparisons : []))
    .slice(0, maxConditions)
    .map((comparison) => ({ comparisons: [comparison] })),
)

function hashOf(state: unknown): string {
  return createHash("sha1").update(JSON.stringify(state)).digest("base64")
}

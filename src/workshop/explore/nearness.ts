/** Measures how near values are to a condition, to change replies towards it. */
import { itemExits } from "../../authoring/lint/blockEntries.ts"
import type { Comparison, Condition } from "../../engine/schema/condition.ts"
import { currentOf } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import type { StoredValue } from "../../engine/variables/variables.ts"
import { rootVersion } from "../play/play.ts"
import type { BlockFacts, FlowFacts } from "./flowFacts.ts"
import { outcomesOf } from "./witnesses.ts"

/** A way out of a condition: by the index of its item; undefined: the else way. */
export type WayOut = { blockId: string; item: number | undefined }

/** Max comparisons measured per condition. */
const maxCompared = 50

/** The distance of a value that is not a number. */
const farAway = 1_000_000

/** Max conditions of a turn whose nearness is noted. */
const maxNear = 50

/** Notes the nearest way to each condition that a turn reached. */
export function noteNearest<Trail>(
  nearest: Map<string, { trail: Trail; distance: number }>,
  facts: FlowFacts,
  turn: Turn,
  trail: Trail,
): void {
  const met = (turn.trail ?? []).slice(0, 1_000).flatMap(({ blockId, version }) => {
    const known = version === rootVersion ? facts.blocks.get(blockId) : undefined
    return known && known.conditions.length > 0 ? known : []
  })
  if (met.length === 0) return
  const { values } = currentOf(turn.session)
  for (const known of met.slice(0, maxNear)) {
    const blockId = known.entry.block.id
    for (const { at } of known.conditions.slice(0, maxNear)) {
      const item = Number(at[1])
      const key = `${blockId} ${item}`
      const distance = distanceToWay(known, { blockId, item }, values, facts)
      if (distance < (nearest.get(key)?.distance ?? Number.POSITIVE_INFINITY)) {
        nearest.set(key, { trail, distance })
      }
    }
  }
}

/** The distance of values from taking a way: 0 if they take it. */
export function distanceToWay(
  { conditions, entry }: BlockFacts,
  { item }: WayOut,
  values: readonly StoredValue[],
  facts: FlowFacts,
): number {
  const last = item ?? itemExits(entry).length
  return conditions.reduce((sum, { at, condition }) => {
    const index = Number(at[1])
    if (index > last) return sum
    return sum + distanceTo(condition, index === item, values, facts)
  }, 0)
}

/** The distance of values from making a condition true, or false. */
function distanceTo(
  condition: Condition,
  isWanted: boolean,
  values: readonly StoredValue[],
  facts: FlowFacts,
): number {
  if ((outcomesOf([condition], values, facts) === "1") === isWanted) return 0
  const { comparisons = [], logicalOperator } = condition
  const distances = comparisons
    .slice(0, maxCompared)
    .map((each) => distanceOf(each, isWanted, values, facts))
  // All comparisons must fail for a false OR, and hold for a true AND.
  const isAll = (logicalOperator === "OR") !== isWanted
  const found = isAll ? distances.reduce((sum, each) => sum + each, 0) : Math.min(...distances)
  return Number.isFinite(found) ? Math.max(found, minimum) : 1
}

/** Unfulfilled comparisons never have distance 0. */
const minimum = 0.01

function distanceOf(
  comparison: Comparison,
  isWanted: boolean,
  values: readonly StoredValue[],
  facts: FlowFacts,
): number {
  const holds = outcomesOf([{ comparisons: [comparison], logicalOperator: "AND" }], values, facts)
  if ((holds === "1") === isWanted) return 0
  const { variableId, comparisonOperator, value = "" } = comparison
  const actual = textOf(values.find(([id]) => id === variableId)?.[1])
  const [name] = /^\{\{([^{}]+)\}\}$/.exec(value)?.slice(1) ?? []
  const wanted = name === undefined ? value : textOf(valueNamed(name, values, facts))
  const gap = Math.abs(Number(actual) - Number(wanted))
  const isNumeric = wanted.trim() !== "" && !Number.isNaN(Number(wanted))
  if (isNumeric && isWanted && comparisonOperator !== "Not equal") {
    return actual.trim() === "" || Number.isNaN(gap) ? farAway : gap + minimum
  }
  if (isNumeric && !isWanted && comparisonOperator?.includes("than")) {
    return Number.isNaN(gap) ? farAway : gap + minimum
  }
  return isWanted ? likeness(actual, wanted) : 1
}

function valueNamed(name: string, values: readonly StoredValue[], facts: FlowFacts): unknown {
  const id = facts.ids.get(name)
  return values.find(([each]) => each === id)?.[1]
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? "" : String(value)
}

/** The distance between texts: small if they differ only in case or spaces. */
function likeness(one: string, other: string): number {
  const [actual, wanted] = [plain(one), plain(other)]
  if (actual === wanted) return minimum
  const isPart = actual !== "" && (actual.includes(wanted) || wanted.includes(actual))
  return isPart ? 1 : actual === "" ? 3 : 2
}

function plain(text: string): string {
  return text
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
}

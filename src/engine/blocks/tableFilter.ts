/** Compares and selects rows of external tables, such as spreadsheets; every cell is compared as text. */

import { foldCase } from "../../lib/foldCase.ts"
import { type Fuel, readingUnits, searchingUnits, spend } from "../budget/fuel.ts"

/** Whether a cell passes. An unknown operator never does. */
export function cellPasses(
  operator: string | undefined,
  cell: string,
  value: string,
  fuel: Fuel,
): boolean {
  spend(fuel, readingUnits(cell.length + value.length))
  spend(fuel, searchingUnits(cell.length, value.length))
  const test = operator === undefined ? undefined : tests.get(operator)
  return test ? test(cell, value) : false
}

/** A cell as text; an absent one is empty. */
export function cellText(cell: unknown): string {
  if (cell === undefined || cell === null) return ""
  return typeof cell === "object" ? JSON.stringify(cell) : String(cell)
}

/** Selections among the matching rows. */
export const rowChoices = ["All", "First", "Last", "Random"] as const

/** The rows that the author selects among the matching ones. */
export function choose<T>(
  rows: readonly T[],
  which: (typeof rowChoices)[number] | undefined,
  random: () => number,
): T[] {
  if (which === "First") return rows.slice(0, 1)
  if (which === "Last") return rows.slice(-1)
  if (which !== "Random") return [...rows]
  const index = Math.floor(random() * rows.length)
  return rows.slice(index, index + 1)
}

type Test = (cell: string, value: string) => boolean

const isEqual: Test = (cell, value) => cell.normalize() === value.normalize()
const bare = (text: string) => foldCase(text).trim()
const contains: Test = (cell, value) => hasBoth(cell, value) && bare(cell).includes(bare(value))
const hasBoth: Test = (cell, value) => cell !== "" && value !== ""

const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ["Equal to", isEqual],
  ["Not equal", (cell, value) => !isEqual(cell, value)],
  ["Contains", contains],
  ["Does not contain", (cell, value) => !contains(cell, value)],
  ["Starts with", (cell, value) => hasBoth(cell, value) && bare(cell).startsWith(bare(value))],
  ["Ends with", (cell, value) => hasBoth(cell, value) && bare(cell).endsWith(bare(value))],
  ["Greater than", (cell, value) => Number.parseFloat(cell) > Number.parseFloat(value)],
  ["Less than", (cell, value) => Number.parseFloat(cell) < Number.parseFloat(value)],
  ["Is set", (cell) => cell !== ""],
  ["Is empty", (cell) => cell === ""],
])

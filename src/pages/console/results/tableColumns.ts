/** The columns of the table, and the texts of their cells. */
import type { ListedColumn, Result } from "./resultQueries.ts"

export type TableColumn = ListedColumn & { width: number; isShownAtFirst: boolean }

/** Facts in the order in which they are shown before people order them; the others follow the answers. */
const firstFacts = ["createdAt", "isCompleted"]
const lastFacts = ["versionNumber", "durationSeconds", "endedAt", "id"]
const widths: Readonly<Record<string, number>> = {
  createdAt: 168,
  isCompleted: 148,
  versionNumber: 88,
  durationSeconds: 104,
  endedAt: 168,
  id: 280,
}
const usualWidth = 208

export const minWidth = 64
export const maxWidth = 800

/**
 * The columns that the API lists, and those of answers and variables that only older results have. A variable
 * that an input fills is hidden until it is asked for, as it repeats the answer.
 */
export function tableColumns(
  listed: readonly ListedColumn[],
  results: readonly Result[],
): TableColumn[] {
  const columns = new Map(listed.map((column) => [column.id, column]))
  for (const { answers, variables } of results) {
    for (const { blockId: id, name, groupTitle } of answers) {
      if (!columns.has(id)) columns.set(id, { id, title: name ?? groupTitle ?? id, kind: "input" })
    }
    for (const { id, name } of variables) {
      if (!columns.has(id)) columns.set(id, { id, title: name, kind: "variable" })
    }
  }
  const filled = new Set([...columns.values()].map(({ variableId }) => variableId))
  const isShownAtFirst = ({ id, kind }: ListedColumn) =>
    kind === "fact" ? [...firstFacts, "versionNumber"].includes(id) : !filled.has(id)
  const placeOf = ({ id, kind }: ListedColumn) => {
    if (kind !== "fact") return firstFacts.length
    const first = firstFacts.indexOf(id)
    return first >= 0 ? first : firstFacts.length + 1 + lastFacts.indexOf(id)
  }
  return [...columns.values()]
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((column) => ({
      ...column,
      width: widths[column.id] ?? usualWidth,
      isShownAtFirst: isShownAtFirst(column),
    }))
}

/** The text of an answer or a variable in a result; empty: it has none. */
export function cellText({ id, kind }: Pick<ListedColumn, "id" | "kind">, result: Result): string {
  if (kind === "variable") {
    return valueText(result.variables.find((variable) => variable.id === id)?.value)
  }
  return result.answers
    .filter(({ blockId }) => blockId === id)
    .map(({ content }) => content)
    .filter(Boolean)
    .join(", ")
}

/** A value of a variable as text; lists have commas between their elements. */
export function valueText(value: Result["variables"][number]["value"] | null): string {
  return Array.isArray(value) ? value.map((each) => each ?? "").join(", ") : (value ?? "")
}

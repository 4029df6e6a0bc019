/** Reads the long lists of flows, groups and edges, element by element. */
import { type RawBuilder, sql } from "kysely"
import type { Steps } from "../engine/steps.ts"

/** A jsonb list with a line of JSON text for each element; null: it is empty. */
export type JsonLines = string | null

/** SQL for a jsonb list as lines: written by PostgreSQL, JSON has no line break of its own. */
export function linesOf(list: string): string {
  return `(select string_agg(element::text, E'\\n') from jsonb_array_elements(${list}) element)`
}

/** The same to select a list of a draft. */
export function asLines(column: "bots.groups" | "bots.edges"): RawBuilder<JsonLines> {
  return sql.raw(linesOf(column))
}

/** Stands for a list that need not be read. */
export const noLines = sql<JsonLines>`null`

/** The lists of a flow, an element parsed in a step. */
export function* parseLists(lists: {
  groups: JsonLines
  edges: JsonLines
}): Steps<{ groups: unknown[]; edges: unknown[] }> {
  return { groups: yield* parseLines(lists.groups), edges: yield* parseLines(lists.edges) }
}

/** Parses the elements in a step each. */
export function* parseLines(lines: JsonLines): Steps<unknown[]> {
  const elements: unknown[] = []
  for (const line of lines?.split("\n") ?? []) {
    elements.push(JSON.parse(line))
    yield
  }
  return elements
}

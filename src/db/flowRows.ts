/** Reads and writes flows in the database piece by piece, however large they are. */
import { type RawBuilder, sql } from "kysely"
import { parseInSteps } from "../engine/parseInSteps.ts"
import type { Steps } from "../engine/steps.ts"
import { decode, writeJson } from "../longText.ts"
import { inSlices } from "../slices.ts"
import type { VersionPayload } from "./tables.ts"

/** What the SQL function `flow_rows` gives: lines as its migration describes them. */
export type FlowRow = { lines: string }

/** SQL for each member of a flow. */
type FlowColumns = { readonly [member in keyof VersionPayload]: string }

/** Lines of more characters are parsed in steps themselves. */
const longLine = 32_768

/** SQL for a flow in rows of some 64 kB, one at least, to be ordered by `number`. */
export function flowRows(flow: FlowColumns): string {
  const { events, groups, edges, variables, theme, settings } = flow
  return `flow_rows(${[events, groups, edges, variables, theme, settings].join(", ")})`
}

/** The columns of a draft. */
export const draftColumns: FlowColumns = columnsOf("bots.")

/** The members of a JSON document. */
export function membersOf(document: string): FlowColumns {
  return columnsOf(`${document}->`, "'")
}

function columnsOf(before: string, quote = ""): FlowColumns {
  const column = (name: keyof FlowColumns) => `${before}${quote}${name}${quote}`
  return {
    events: column("events"),
    groups: column("groups"),
    edges: column("edges"),
    variables: column("variables"),
    theme: column("theme"),
    settings: column("settings"),
  }
}

/** Rows to join, named `flow`. */
export function flowOf(columns: FlowColumns) {
  return sql<FlowRow & { number: number }>`${sql.raw(flowRows(columns))}`.as("flow")
}

/** Stands for a list that need not be read. */
export const noList = "'[]'::jsonb"

/** Puts a flow together from its rows in order, in slices. */
export function readFlowRows(rows: readonly FlowRow[]): Promise<VersionPayload> {
  return inSlices(putTogether(rows))
}

function* putTogether(rows: readonly FlowRow[]): Steps<VersionPayload> {
  const lists = { variables: [] as unknown[], groups: [] as unknown[], edges: [] as unknown[] }
  let short: Omit<VersionPayload, keyof typeof lists> = { events: null, theme: {}, settings: {} }
  let blocks: unknown[] = []
  for (const { lines } of rows) {
    const plain = lines.startsWith("=") ? yield* decodeBase64(lines) : lines
    for (const line of plain.split("\n")) {
      const text = line.slice(1)
      const part = text.length > longLine ? yield* parseInSteps(text) : JSON.parse(text)
      const kind = line[0]
      if (kind === "f") short = part as typeof short
      else if (kind === "v") lists.variables.push(part)
      else if (kind === "e") lists.edges.push(part)
      else if (kind === "w") lists.groups.push(part)
      else if (kind === "b") blocks.push(part)
      else {
        blocks = []
        lists.groups.push({ ...(part as object), blocks })
      }
      yield
    }
  }
  return { ...short, ...lists }
}

// Whole groups of four characters, three bytes each.
const base64Length = 65_536

function* decodeBase64(lines: string): Steps<string> {
  const chunks: Buffer[] = []
  for (let from = 1; from < lines.length; from += base64Length) {
    chunks.push(Buffer.from(lines.slice(from, from + base64Length), "base64"))
    yield
  }
  return (yield* decode(chunks)).join("")
}

/** How many characters rows have. */
export function lengthOf(rows: readonly FlowRow[]): number {
  return rows.reduce((sum, { lines }) => sum + lines.length, 0)
}

/** A value as jsonb to write, made of it in slices. */
export async function asJsonb(value: unknown): Promise<string | RawBuilder<string>> {
  const json = await writeJson(value)
  return typeof json === "string" ? json : jsonbOf(json)
}

/** JSON in UTF-8 as jsonb to write: pg copies bytes, but encodes texts all at once. */
export function jsonbOf(json: Buffer): RawBuilder<string> {
  return sql<string>`convert_from(${json}, 'UTF8')::jsonb`
}

/** Reads and writes flows in the database piece by piece, however large they are. */
import { type RawBuilder, sql } from "kysely"
import { readJson } from "../engine/readJson.ts"
import type { Steps } from "../engine/steps.ts"
import { decode, writeJson } from "../longText.ts"
import { inSlices } from "../slices.ts"
import type { VersionPayload } from "./tables.ts"

/**
 * A part of a flow: a letter and JSON in each line; PostgreSQL writes no line breaks into JSON. Or `=`
 * and Base64 of that in UTF-8 when it goes beyond ASCII: pg gets many rows in a round of the event
 * loop, and decodes ASCII ten times as fast.
 */
export type FlowRow = { lines: string }

/** SQL for each member of a flow. */
type FlowColumns = { readonly [member in keyof VersionPayload]: string }

/** Bytes of a row; one that holds a single line may have more. */
const rowBytes = 65_536

/** Lines of more characters are parsed in steps themselves. */
const longLine = 32_768

/**
 * SQL for a flow in rows of some 64 kB, to be ordered by `number`: pg decodes a row at a time, and
 * a text of 4 MB takes it up to 25 ms. There is one row at least.
 */
export function flowRows({ events, theme, settings, ...lists }: FlowColumns): string {
  return `(select number, case when octet_length(lines) = length(lines) then lines
  else '=' || translate(encode(convert_to(lines, 'UTF8'), 'base64'), E'\\n', '') end as lines from (
  select number, string_agg(line, E'\\n' order by part, n, m) as lines from (
  select *, sum(octet_length(line)) over (order by part, n, m) / ${rowBytes} as number from (
    select 0 as part, 0::bigint as n, 0::bigint as m, 'f' || jsonb_build_object(
      'events', ${events}, 'theme', ${theme}, 'settings', ${settings})::text as line
    union all select 1, n, 0, 'v' || part::text
    from jsonb_array_elements(case jsonb_typeof(${lists.variables}) when 'array'
      then ${lists.variables} else '[]' end) with ordinality as variable (part, n)
    union all select 2, n, m, line
    from jsonb_array_elements(${lists.groups}) with ordinality as "group" (part, n),
    lateral (
      select 0::bigint as m, case when jsonb_typeof(part->'blocks') = 'array'
        then 'g' || (part - 'blocks')::text else 'w' || part::text end as line
      union all select m, 'b' || block::text from jsonb_array_elements(
        case when jsonb_typeof(part->'blocks') = 'array' then part->'blocks' else '[]' end
      ) with ordinality as block (block, m)
    ) line
    union all select 3, n, 0, 'e' || part::text
    from jsonb_array_elements(${lists.edges}) with ordinality as edge (part, n)
  ) line
) line group by number
) line)`
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
      const part = text.length > longLine ? yield* readJson(text) : JSON.parse(text)
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

/** Requests to the records of a NocoDB table (data API, version 2). */

import { pick, pickList } from "../../../../lib/foreignJson.ts"
import { spend } from "../../../budget/fuel.ts"
import type { Secret } from "../../../calls.ts"
import { json, request, segment } from "../../api.ts"
import { type ActionContext, carried, type ServiceStep } from "../serviceBlock.ts"
import { matching, whereOf } from "./filter.ts"
import type { NocodbOptions } from "./schema.ts"

export type NocodbAction = ActionContext<NocodbOptions>

/** Max records of a search and of a page. */
const maxRecords = 1_000

/** Max pages per search. NocoDB's own cloud returns 100 records per page and allows few requests a second. */
const maxPages = 10

/** The requested page, and the records found before it. */
type Reading = { page: number; offset: number; found: unknown[] }

const beginning: Reading = { page: 1, offset: 0, found: [] }

/** Requests the first page, or the next, of the records that pass the filter. */
export function search(action: NocodbAction, reading = beginning): ServiceStep {
  const { viewId, filter } = action.options
  const where = whereOf(filter)
  const query: [string, string][] = [["limit", String(maxRecords)]]
  if (reading.offset > 0) query.push(["offset", String(reading.offset)])
  if (viewId) query.push(["viewId", viewId])
  if (where) query.push(["where", where])
  return send(action, { method: "GET", path: recordsPath(action), query }, reading)
}

/** All records found, or the step that reads the next page. */
export function readPage(action: NocodbAction, data: unknown): unknown[] | ServiceStep {
  const { filter, responseMapping = [] } = action.options
  const { fuel } = action.context
  const { page, offset, found } = carried<Reading>(action.context) ?? beginning
  const list = pickList(data, "list")
  const rows = matching(list, filter, fuel)
  const end = offset + list.length
  const isLast = list.length === 0 || !(Number(pick(data, "pageInfo", "totalRows")) > end)
  if (isLast || page >= maxPages || found.length + rows.length >= maxRecords) {
    return [...found, ...rows].slice(0, maxRecords)
  }
  const names = ["Id", "id", ...responseMapping.flatMap(({ fieldName }) => fieldName ?? [])]
  spend(fuel, rows.length * names.length)
  // Carries only used fields to the next page.
  const kept = rows.map((row) => Object.fromEntries(names.map((name) => [name, pick(row, name)])))
  return search(action, { page: page + 1, offset: end, found: [...found, ...kept] })
}

export function readColumns(action: NocodbAction, carry: unknown): ServiceStep {
  const path = `/api/v2/meta/tables/${segment(action.options.tableId ?? "")}`
  return send(action, { method: "GET", path }, carry)
}

export function create(action: NocodbAction, fields: object, carry: unknown): ServiceStep {
  return send(action, { method: "POST", path: recordsPath(action), body: fields }, carry)
}

/** Overwrites fields of records. */
export function update(action: NocodbAction, records: object[], carry: unknown): ServiceStep {
  return send(action, { method: "PATCH", path: recordsPath(action), body: records }, carry)
}

export type Link = { columnId: string; ids: string[] }

export function link(
  action: NocodbAction,
  { recordId, columnId, ids }: Link & { recordId: string },
  carry: unknown,
): ServiceStep {
  const table = segment(action.options.tableId ?? "")
  const column = segment(columnId)
  const path = `/api/v2/tables/${table}/links/${column}/records/${segment(recordId)}`
  const body = ids.map((Id) => ({ Id }))
  return send(action, { method: "POST", path, body }, carry)
}

const recordsPath = ({ options }: NocodbAction) =>
  `/api/v2/tables/${segment(options.tableId ?? "")}/records`

type TableRequest = { method: string; path: string; query?: [string, string][]; body?: object }

const host: Secret = { secret: "baseUrl", fallback: "https://app.nocodb.com", as: "base" }

function send(action: NocodbAction, { method, path, query, body }: TableRequest, carry: unknown) {
  return request(
    action,
    {
      method,
      url: [host, path],
      headers: [["xc-token", [{ secret: "apiKey" }]]],
      ...(query ? { query } : {}),
      ...(body ? { body: json(body) } : {}),
    },
    { carry },
  )
}

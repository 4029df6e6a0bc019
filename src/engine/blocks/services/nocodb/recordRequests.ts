/** Requests to the records of a NocoDB table (data API, version 2). */
import type { Secret } from "../../../calls.ts"
import { json, request, segment } from "../../api.ts"
import type { ActionContext, ServiceStep } from "../service.ts"
import { whereOf } from "./filter.ts"
import type { NocodbOptions } from "./schema.ts"

/** The action at hand. */
export type NocodbAction = ActionContext<NocodbOptions>

/** Most records that one request returns. */
const limit = "1000"

/** Requests the records that pass the filter. */
export function search(action: NocodbAction, carry: unknown): ServiceStep {
  const { viewId, filter } = action.options
  const where = whereOf(filter)
  const query: [string, string][] = [["limit", limit]]
  if (viewId) query.push(["viewId", viewId])
  if (where) query.push(["where", where])
  return send(action, { method: "GET", path: recordsPath(action), query }, carry)
}

/** Requests the columns of the table. */
export function readColumns(action: NocodbAction, carry: unknown): ServiceStep {
  const path = `/api/v2/meta/tables/${segment(action.options.tableId ?? "")}`
  return send(action, { method: "GET", path }, carry)
}

/** Adds a record. */
export function create(action: NocodbAction, fields: object, carry: unknown): ServiceStep {
  return send(action, { method: "POST", path: recordsPath(action), body: fields }, carry)
}

/** Overwrites fields of records. */
export function update(action: NocodbAction, records: object[], carry: unknown): ServiceStep {
  return send(action, { method: "PATCH", path: recordsPath(action), body: records }, carry)
}

/** What to link to a record: ids of other records, by the id of the column. */
export type Link = { columnId: string; ids: string[] }

/** Links records to another one. */
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

function send(
  action: NocodbAction,
  { method, path, query, body }: TableRequest,
  carry: unknown,
): ServiceStep {
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

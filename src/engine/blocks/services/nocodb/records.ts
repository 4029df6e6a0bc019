/** Requests to the records of a NocoDB table (data API, version 2). */
import type { Call, Secret } from "../../../calls.ts"
import { json, request } from "../api.ts"
import type { Visit } from "../service.ts"
import { whereOf } from "./filter.ts"
import type { NocodbOptions } from "./schema.ts"

/** Records that one question returns at most. */
const limit = "1000"

/** Asks for the records that the filter means. */
export function searchCall(visit: Visit<NocodbOptions>, carry: unknown): Call<"http"> {
  const { viewId, filter } = visit.options
  const where = whereOf(filter)
  const query: [string, string][] = [["limit", limit]]
  if (viewId) query.push(["viewId", viewId])
  if (where) query.push(["where", where])
  return callOf(visit, { method: "GET", path: recordsPath(visit), query }, carry)
}

/** Asks for the columns of the table. */
export function columnsCall(visit: Visit<NocodbOptions>, carry: unknown): Call<"http"> {
  const path = `/api/v2/meta/tables/${encodeURIComponent(visit.options.tableId ?? "")}`
  return callOf(visit, { method: "GET", path }, carry)
}

/** Adds a record. */
export function createCall(
  visit: Visit<NocodbOptions>,
  fields: object,
  carry: unknown,
): Call<"http"> {
  return callOf(visit, { method: "POST", path: recordsPath(visit), body: fields }, carry)
}

/** Overwrites fields of records. */
export function updateCall(
  visit: Visit<NocodbOptions>,
  records: object[],
  carry: unknown,
): Call<"http"> {
  return callOf(visit, { method: "PATCH", path: recordsPath(visit), body: records }, carry)
}

/** What to link to a record: ids of other records, by the id of the column. */
export type Link = { columnId: string; ids: string[] }

/** Links records to another one. */
export function linkCall(
  visit: Visit<NocodbOptions>,
  { recordId, link }: { recordId: string; link: Link },
  carry: unknown,
): Call<"http"> {
  const table = encodeURIComponent(visit.options.tableId ?? "")
  const column = encodeURIComponent(link.columnId)
  const path = `/api/v2/tables/${table}/links/${column}/records/${encodeURIComponent(recordId)}`
  const body = link.ids.map((Id) => ({ Id }))
  return callOf(visit, { method: "POST", path, body }, carry)
}

const recordsPath = ({ options }: Visit<NocodbOptions>) =>
  `/api/v2/tables/${encodeURIComponent(options.tableId ?? "")}/records`

type Made = { method: string; path: string; query?: [string, string][]; body?: object }

const host: Secret = { secret: "baseUrl", fallback: "https://app.nocodb.com", as: "base" }

function callOf(
  visit: Visit<NocodbOptions>,
  { method, path, query, body }: Made,
  carry: unknown,
): Call<"http"> {
  return request(
    visit,
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

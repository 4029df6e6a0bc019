/** Performs calls of the kind `sheet`: reads and writes cells of Google Sheets (API v4). */
import type { sheets_v4 } from "@googleapis/sheets"
import { type Call, type HttpAnswer, isFailure, type SheetRequest } from "../../engine/calls.ts"
import { pickText } from "../../lib/foreignJson.ts"
import type { Credentials, OpenCredential } from "../credentials/credentials.ts"
import { failed, serverFailure } from "../failures.ts"
import { type GuardedFetch, libraryFetch } from "../network/guardedFetch.ts"
import type { Outbound } from "../network/outbound.ts"
import type { CallContext, Performer } from "../perform.ts"

type SheetsDeps = {
  outbound: Pick<Outbound, "fetch">
  credentials: Credentials
  /** Whether anonymous previews may make requests. */
  allowsRestricted: boolean
  /** Replaces Google's scheme, host and port. */
  rootUrl?: string | undefined
}

const maxBytes = 5_000_000
const timeoutMs = 60_000

export function createSheets(deps: SheetsDeps): Performer<"sheet"> {
  return async (call, context) => {
    if (context.isRestricted && !deps.allowsRestricted) {
      return failed("Requests cannot be made in an anonymous preview", { reason: "blocked" })
    }
    const account = await deps.credentials.find(call.credential, context)
    if (isFailure(account)) return account
    try {
      return await send(deps, call, { account, context })
    } catch (error) {
      // The library wraps our errors in its own.
      return serverFailure(error instanceof Error && error.cause ? error.cause : error)
    }
  }
}

type Caller = { account: OpenCredential; context: CallContext }

async function send(
  { outbound, rootUrl }: SheetsDeps,
  call: Call<"sheet">,
  { account, context }: Caller,
): Promise<HttpAnswer> {
  const { createValues } = await import("./googleClients.ts")
  const limited: GuardedFetch = (url, init) => outbound.fetch(url, { ...init, maxBytes, timeoutMs })
  const accessToken = pickText(account.data, "access_token") ?? ""
  const values = createValues(libraryFetch(limited, context.signal), { accessToken, rootUrl })
  const { status, data } = await sendRequest(call, values)
  const text = String(data)
  // A refusal may repeat the token.
  return { status, text: status >= 200 && status < 300 ? text : account.redact(text) }
}

/** The answer as text, regardless of its type: the engine parses it as untrusted input. */
async function sendRequest(request: SheetRequest, values: sheets_v4.Resource$Spreadsheets$Values) {
  const { spreadsheetId } = request
  if ("reads" in request) {
    const dataFilters = [{ gridRange: request.reads }]
    const requestBody = { dataFilters, majorDimension: "ROWS" }
    return values.batchGetByDataFilter({ spreadsheetId, requestBody })
  }
  if ("appendsTo" in request) {
    const { appendsTo: range, row } = request
    const requestBody = { values: [row] }
    return values.append({ spreadsheetId, range, valueInputOption, requestBody })
  }
  const data = request.overwrites.map(({ gridRange, value }) => {
    return { dataFilter: { gridRange }, values: [[value]] }
  })
  return values.batchUpdateByDataFilter({ spreadsheetId, requestBody: { valueInputOption, data } })
}

const valueInputOption = "USER_ENTERED"

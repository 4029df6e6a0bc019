/** Makes requests to third-party APIs and reads their answers: data, or a log of the failure. */

import { readJson } from "../../lib/foreignJson.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import {
  type Call,
  type Credential,
  type Failure,
  type HttpAsk,
  type HttpRequest,
  isFailure,
  type Outcome,
} from "../calls.ts"
import type { Log } from "../schema/log.ts"

const timeoutMs = 60_000

/** The `Authorization` header with a member of the credential as its token. */
export const bearer = (member = "apiKey"): NonNullable<HttpRequest["headers"]>[number] => [
  "Authorization",
  ["Bearer ", { secret: member }],
]

export const json = (value: unknown): HttpRequest["body"] => ({
  text: JSON.stringify(value),
  contentType: "application/json",
})

/** Encodes a text as one path segment. Lone surrogates, which answers may contain, are replaced first. */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Overrides the defaults of a call; `carry` is handed to the step that continues. */
type RequestOptions = Partial<Pick<HttpAsk, "timeoutMs" | "savesFile">> & { carry?: unknown }

/** The step that makes a request with a credential. */
export function request(
  { credential }: { credential: Credential },
  httpRequest: HttpRequest,
  options: RequestOptions = {},
): { next: { call: Call<"http"> } } {
  const call = { kind: "http" as const, request: httpRequest, credential, timeoutMs, carry: null }
  return { next: { call: { ...call, ...options } } }
}

/** The format in which speech is saved. */
export const mp3 = { contentType: "audio/mpeg", extension: "mp3" }

/** The data of an answer and the address of its file, or a log of the failure. */
type ApiAnswer =
  | { data: unknown; fileUrl?: string | undefined }
  | { log: Log; isUnauthorized: boolean }

/** Reads the answer of an API. `context` is the activity, for logs: "While reading the sheet". */
export function readApiAnswer(outcome: Outcome<"http">, context: string): ApiAnswer {
  if (isFailure(outcome)) {
    return { log: failureLog(outcome, context), isUnauthorized: outcome.reason === "credentials" }
  }
  const { status, text, fileUrl } = outcome
  if (status >= 200 && status < 300) return { data: readJson(text), fileUrl }
  const description = `The service refused with status ${status}`
  return {
    log: failureLog({ description, details: text }, context),
    isUnauthorized: status === 401,
  }
}

/** A failed call as an error log. */
export function failureLog(
  { description, details, isInternal }: Pick<Failure, "description" | "details" | "isInternal">,
  context: string,
): Log {
  return {
    status: "error",
    description,
    ...nonEmpty({ details }),
    context,
    ...(isInternal && { isInternal }),
  }
}

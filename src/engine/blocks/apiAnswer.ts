/** Reads what an API answered to a request: its data, or a log that says why there is none. */
import { type Failure, isFailure, type Outcome } from "../calls.ts"
import type { Log } from "../schema/log.ts"
import { readJson } from "../variables/readJson.ts"

export type ApiAnswer =
  | { data: unknown; fileUrl?: string | undefined }
  | { log: Log; isUnauthorized: boolean }

/** `context` says what was being done: "While reading the sheet". */
export function readApiAnswer(outcome: Outcome<"http">, context: string): ApiAnswer {
  if (isFailure(outcome)) {
    return { log: failureLog(outcome, context), isUnauthorized: outcome.reason === "credentials" }
  }
  const { status, text, fileUrl } = outcome
  if (status >= 200 && status < 300) return { data: readJson(text), fileUrl }
  return {
    log: {
      status: "error",
      description: `The service refused with status ${status}`,
      ...(text ? { details: text } : {}),
      context,
    },
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
    ...(details ? { details } : {}),
    context,
    ...(isInternal ? { isInternal } : {}),
  }
}

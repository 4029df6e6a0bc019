/** Errors of calls that were refused or got no answer. */
import type { TRPCClientError } from "@trpc/client"
import type { AppRouter } from "../routers/app.ts"

/** What a refused call throws: `data.reason`, `data.httpStatus` and `data.issues` say why. */
export type ParleyError = TRPCClientError<AppRouter>

/**
 * Whether a call was refused by the service or never reached it; any other error is a mistake of the
 * caller. Judged by name, because an app may hold several copies of @trpc/client.
 */
export function isParleyError(error: unknown): error is ParleyError {
  return error instanceof Error && error.name === "TRPCClientError"
}

/** Requests to the APIs of services. */
import type { Call, HttpAsk, HttpRequest } from "../../calls.ts"
import type { Visit } from "./service.ts"

const timeoutMs = 60_000

/** The `Authorization` header with a member of the credential as its token. */
export const bearer = (member = "apiKey"): NonNullable<HttpRequest["headers"]>[number] => [
  "Authorization",
  ["Bearer ", { secret: member }],
]

/** A JSON body. */
export const json = (value: unknown): HttpRequest["body"] => ({
  text: JSON.stringify(value),
  contentType: "application/json",
})

/** The call that makes a request with the credential at hand; `more` overrides the usual. */
export function request(
  { credential }: Pick<Visit<unknown>, "credential">,
  made: HttpRequest,
  more: Partial<Pick<HttpAsk, "timeoutMs" | "savesFile">> & { carry?: unknown } = {},
): Call<"http"> {
  return { kind: "http", request: made, credential, timeoutMs, carry: null, ...more }
}

/** The one error document: members of RFC 9457 and those that callers of tRPC's REST expect. */
import { STATUS_CODES } from "node:http"
import { z } from "zod"
import type { ErrorCode, Reason } from "../errors.ts"
import type { Refusal } from "../routers/refusal.ts"

const issueSchema = z
  .object({
    message: z.string().describe("What is wrong, as a sentence"),
    path: z
      .array(
        z
          .union([z.string(), z.number()])
          .meta({ id: "IssueKey", description: "Name of a member or index in a list" }),
      )
      .describe("Keys from the root of the request to the offending value"),
    pointer: z.string().optional().describe("The same as a JSON Pointer (RFC 6901)"),
    code: z.string().describe("Machine-readable reason, for example `invalid_type`"),
    place: z
      .string()
      .optional()
      .describe('Where a person finds it inside a flow: `Group "Contact" › block 5 "email input"`'),
  })
  .meta({ id: "Issue", description: "One reason why a request was refused" })

/** The error document as the OpenAPI document describes it. */
export const problemSchema = z
  .object({
    type: z.string().describe("URI reference of the kind of problem"),
    title: z.string().describe("The kind of problem in words, always the same for one `type`"),
    status: z.number().int().describe("The HTTP status"),
    detail: z.string().describe("The same as `message`"),
    instance: z.string().describe("The id of this request, as in the header `x-request-id`"),
    message: z.string().describe("What went wrong, as a sentence"),
    code: z.string().describe("Machine-readable kind of problem, for example `NOT_FOUND`"),
    issues: z
      .array(issueSchema)
      .optional()
      .describe("Only for refused input: what is wrong where, at most 50"),
    limit: z
      .string()
      .optional()
      .describe("Only for 429: the limit that was reached, for example `management`"),
  })
  .meta({ id: "Problem", description: "Every error has this body (RFC 9457)" })

/** An error document. */
type Problem = z.infer<typeof problemSchema>

/** The error document of a refusal in one request. */
export function problemOf(refusal: Refusal, requestId: string): Problem {
  const { status, code, message, issues, limit } = refusal
  return {
    type: problemType(code),
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: message,
    instance: requestId,
    message,
    code,
    ...(issues !== undefined && { issues }),
    ...(limit !== undefined && { limit }),
  }
}

/** The `type` of a code: a stable path where the service explains it. */
export function problemType(code: string): string {
  return `/problems/${code.toLowerCase().replaceAll("_", "-")}`
}

/** One kind of problem. */
type ProblemKind = { code: ErrorCode | Reason; status: number; description: string }

/** The documented kinds of problems, by status. */
export const problemKinds: readonly ProblemKind[] = [
  { code: "BAD_REQUEST", status: 400, description: "The request breaks a rule" },
  { code: "PARSE_ERROR", status: 400, description: "The body is not JSON" },
  { code: "UNAUTHORIZED", status: 401, description: "There is no valid API token" },
  { code: "FORBIDDEN", status: 403, description: "The action is not allowed" },
  { code: "BOT_CLOSED", status: 403, description: "The bot is closed; the message is for people" },
  {
    code: "ORIGIN_NOT_ALLOWED",
    status: 403,
    description: "The author has not listed the page that calls",
  },
  {
    code: "CHATS_LIMIT_REACHED",
    status: 403,
    description: "The workspace has had all the chats of its month",
  },
  { code: "NOT_FOUND", status: 404, description: "There is no such thing, or not for this caller" },
  {
    code: "METHOD_NOT_SUPPORTED",
    status: 405,
    description: "The path takes other methods, which the header `Allow` lists",
  },
  { code: "TIMEOUT", status: 408, description: "The flow ran longer than it may" },
  { code: "CONFLICT", status: 409, description: "Somebody else changed it first" },
  { code: "PAYLOAD_TOO_LARGE", status: 413, description: "The body is larger than allowed" },
  {
    code: "UNSUPPORTED_MEDIA_TYPE",
    status: 415,
    description: "The body is of another type than JSON",
  },
  {
    code: "UNPROCESSABLE_CONTENT",
    status: 422,
    description: "The idempotency key was used before with another body",
  },
  {
    code: "FLOW_TOO_EXPENSIVE",
    status: 422,
    description: "The flow needs more work than one call may take; the message says where",
  },
  {
    code: "TOO_MANY_REQUESTS",
    status: 429,
    description: "A limit was reached, which `limit` names; try again after `Retry-After` seconds",
  },
  { code: "INTERNAL_SERVER_ERROR", status: 500, description: "The service failed unexpectedly" },
  {
    code: "SERVICE_UNAVAILABLE",
    status: 503,
    description: "The service cannot answer now; try again after `Retry-After` seconds",
  },
]

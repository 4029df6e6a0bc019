/** The one error document: members of RFC 9457 and those that callers of tRPC's REST expect. */
import { STATUS_CODES } from "node:http"
import { z } from "zod"
import { namedObject } from "../engine/schema/sharedMembers.ts"
import { type ErrorCode, errorCodeOf, errorReasons, type ParleyErrorCode } from "../lib/errors.ts"
import type { Refusal } from "../routers/refusal.ts"

const issueSchema = namedObject("Issue", "One reason why a request was refused", {
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

const reasons = Object.keys(errorReasons) as ParleyErrorCode[]
const codes: ErrorCode[] = [...new Set(reasons.map(errorCodeOf))]

/** The error document as the OpenAPI document describes it. */
export const problemSchema = namedObject("Problem", "Every error has this body (RFC 9457)", {
  type: z.string().describe("URI reference of the kind of problem"),
  title: z.string().describe("The kind of problem in words, always the same for one `type`"),
  status: z.number().int().describe("The HTTP status"),
  detail: z.string().describe("The same as `message`"),
  instance: z.string().describe("The id of this request, as in the header `x-request-id`"),
  message: z.string().describe("What went wrong, as a sentence"),
  code: z
    .enum(codes)
    .describe("The kind of problem, as tRPC calls it, or one of a few finer codes"),
  reason: z.enum(reasons).meta({
    id: "ParleyErrorCode",
    description: "Why exactly; `type` leads to a sentence about it",
  }),
  issues: z
    .array(issueSchema)
    .optional()
    .describe("Only for refused input: what is wrong where, at most 50"),
  data: z
    .looseObject({})
    .optional()
    .describe(
      "What programs can act on. `reason` decides its form, as the descriptions of the responses say; the forms overlap",
    ),
})

type Problem = z.infer<typeof problemSchema>

/** The error document of a refusal in one request. */
export function problemOf(refusal: Refusal, requestId: string): Problem {
  const { status, message, ...others } = refusal
  return {
    type: problemType(refusal.reason),
    title: STATUS_CODES[status] ?? "Error",
    status,
    detail: message,
    instance: requestId,
    message,
    ...others,
  }
}

/** The `type` of a reason: a stable path where the service explains it. */
export function problemType(reason: string): string {
  return `/problems/${reason.toLowerCase().replaceAll("_", "-")}`
}

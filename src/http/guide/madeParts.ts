/** Makes the parts of the guide that follow from code, in Markdown: tables of reasons, scopes, limits. */
import { STATUS_CODES } from "node:http"
import { z } from "zod"
import { errorCodeOf, errorReasons, type ParleyErrorCode } from "../../lib/errors.ts"
import { admissions } from "../../people/admissions.ts"
import { scopes } from "../../people/grants.ts"
import type { LimitedAction } from "../../routers/context.ts"
import { pageMembers } from "../../routers/cursor.ts"
import { type Json, operationsOf } from "../openapi/openapiSchemas.ts"
import { problemExample } from "../openapi/problemParts.ts"
import { problemOf } from "../problem.ts"
import { alwaysSafe, usualRates } from "../rateLimit.ts"
import { remedies } from "./remedies.ts"

/** By the name with which chapters refer to them. */
export function madeParts(document: Json): Record<string, string> {
  const page = z.toJSONSchema(pageMembers.limit)
  return {
    problem: JSON.stringify(exampleProblem, null, 2),
    errors: errorList(),
    scopes: table(["Scope", "Allows to"], Object.entries(scopes).map(coded)),
    admissions: table(["`x-admits`", "Who may call it"], Object.entries(admissions).map(coded)),
    rateLimits: rateTable(),
    keyed: keyedOperations(document),
    maxPage: String(page.maximum),
    usualPage: String(page.default),
  }
}

const requestId = "9b2f6c1e-6c1b-4f0e-9a55-3d1f2a7c8e90"

const exampleProblem = problemOf(
  {
    status: 400,
    code: "BAD_REQUEST",
    reason: "BAD_REQUEST",
    message: "limit: must be at most 200",
    issues: [
      { message: "Must be at most 200", path: ["limit"], pointer: "/limit", code: "too_big" },
    ],
  },
  requestId,
)

/** Every reason below its status, with an anchor of its name. */
function errorList(): string {
  const reasons = Object.keys(errorReasons) as ParleyErrorCode[]
  const statuses = [...new Set(reasons.map((reason) => errorReasons[reason].status))].sort()
  const sections = statuses.map((status) => {
    const own = reasons.filter((reason) => errorReasons[reason].status === status)
    return [`### ${status} ${titleOf(status)}`, ...own.map(describeReason)].join("\n\n")
  })
  return sections.join("\n\n")
}

function titleOf(status: number): string {
  return STATUS_CODES[status] ?? "Client Closed Request"
}

function describeReason(reason: ParleyErrorCode): string {
  const { when } = errorReasons[reason]
  const code = errorCodeOf(reason)
  const example = problemExample(reason)
  return [
    `#### ${reason}`,
    `${when}.${code === reason ? "" : ` Its \`code\` is \`${code}\`.`}`,
    `**Do:** ${remedies[reason]}.`,
    `\`\`\`json example\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  ].join("\n\n")
}

/** What each limit counts, and by what. */
const counted: Readonly<Record<LimitedAction, string>> = {
  management: "Calls of a token",
  heavyManagement: "Expensive calls of a token, such as analytics, tests and exports",
  startChatByAddress: "Chats that an address starts without a token",
  startChatByBot: "Chats that are started with a bot",
  continueChat: "Messages to a chat",
  conversationMessage: "Messages that a token sends under keys of its own",
  clientLogs: "Logs that a chat sends",
  anonymousPreview: "Previews that an address starts without a token",
  failedAuthentication: "Invalid tokens from an address",
  signIn: "Attempts to sign in from an address",
  signInByEmail: "Attempts to sign in with an e-mail address",
  unansweredKilobytes: "Kilobytes that unanswered chats of an address store",
}

function rateTable(): string {
  const rows = Object.entries(usualRates).map(([name, { perSecond, burst }]) => {
    const action = name as LimitedAction
    const applies = alwaysSafe.includes(action) ? "always" : "if on"
    return [`\`${name}\``, counted[action], number(burst), number(perSecond), applies]
  })
  return table(["Limit", "Counts", "Burst", "Refills per second", "Applies"], rows)
}

function number(value: number): string {
  return value.toLocaleString("en")
}

function keyedOperations(document: Json): string {
  const keyed = operationsOf(document).filter(({ parameters }) =>
    JSON.stringify(parameters ?? []).includes("#/components/parameters/IdempotencyKey"),
  )
  return keyed.map(({ operationId }) => `\`${operationId}\``).join(", ")
}

function coded([name, words]: [string, string]): string[] {
  return [`\`${name}\``, words]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`)
  return lines.join("\n")
}

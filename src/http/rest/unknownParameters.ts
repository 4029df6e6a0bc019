/** Parameters of a query that an operation does not know: nothing is refused for them, and they are named. */
import { isMembers } from "../../lib/json.ts"
import { proofParameter } from "../../people/sessionCookie.ts"
import type { Exchange } from "../exchange.ts"

/** The header of the answer that names them. */
const warningHeader = "parley-warning"

const maxNamed = 5
const maxNameLength = 50

/** Lists unknown query parameters in a header of the answer. */
export function warnOfUnknown(exchange: Exchange, known: ReadonlySet<string>): void {
  const sent = [...new Set(new URLSearchParams(exchange.search).keys())]
  const unknown = sent.filter((name) => !known.has(name) && name !== proofParameter)
  if (unknown.length === 0) return
  const named = unknown.slice(0, maxNamed).map(inHeader).join(", ")
  const others = unknown.length > maxNamed ? " and others" : ""
  exchange.headers[warningHeader] = `Unknown query parameters were ignored: ${named}${others}`
}

/** A name as a header can hold it. */
function inHeader(name: string): string {
  return encodeURIComponent(name.slice(0, maxNameLength).toWellFormed())
}

/** Adds that warning to the logs of a chat answer, for its author. */
export function withWarning(answer: unknown, { headers }: Exchange): unknown {
  const description = headers[warningHeader]
  if (description === undefined || !isMembers(answer) || !("messages" in answer)) return answer
  const logs = Array.isArray(answer.logs) ? answer.logs : []
  return { ...answer, logs: [...logs, { status: "info", description }] }
}

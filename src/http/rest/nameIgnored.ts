/** Names what an operation does not know of a query or a body: nothing is refused for it. */
import { isMembers } from "../../lib/json.ts"
import type { Exchange } from "../exchange.ts"

/** The header of the answer that names them. */
const ignoredHeader = "parley-ignored"

const maxNamed = 5
const maxNameLength = 50

/** Adds the unknown ones of some names to the header: a few, as it can hold them. */
export function nameIgnored(
  { headers }: Exchange,
  names: Iterable<string>,
  known: ReadonlySet<string>,
): void {
  const unknown = [...new Set(names)].filter((name) => !known.has(name))
  if (unknown.length === 0) return
  const named = unknown.slice(0, maxNamed).map(inHeader)
  if (unknown.length > maxNamed) named.push("...")
  headers[ignoredHeader] = [headers[ignoredHeader] ?? [], named].flat().join(", ")
}

/** A name as a header can hold it. */
function inHeader(name: string): string {
  return encodeURIComponent(name.slice(0, maxNameLength).toWellFormed())
}

/** Adds the same to the logs of a chat answer, for its author. */
export function withWarning(answer: unknown, { headers }: Exchange): unknown {
  const names = headers[ignoredHeader]
  if (names === undefined || !isMembers(answer) || !("messages" in answer)) return answer
  const logs = Array.isArray(answer.logs) ? answer.logs : []
  const description = `Unknown query parameters were ignored: ${names}`
  return { ...answer, logs: [...logs, { status: "info", description }] }
}

/** Every operation of the document. */
import { readFileSync } from "node:fs"

/** An operation, and whether it needs no token. */
export type Operation = { id: string; method: string; path: string; isPublic: boolean }

const document = JSON.parse(
  readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"),
) as {
  paths: Record<string, Record<string, { operationId?: string; security?: object[] }>>
}
/** They answer no JSON, and have tests of their own in test/api: streams, uploads, exportedResults. */
const elsewhere = new Set(["streamMessage", "listenForEvents", "getPrivateFile", "exportResults"])
/** Those that answer JSON. */
export const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId: id = "", security }]) =>
    id === "" || elsewhere.has(id)
      ? []
      : [{ id, method: method.toUpperCase(), path, isPublic: needsNoToken(security) }],
  ),
)

/** Without a word about it, an operation needs a token; an empty way in is one without. */
function needsNoToken(security: readonly object[] | undefined): boolean {
  if (security === undefined) return false
  return security.length === 0 || security.some((way) => Object.keys(way).length === 0)
}

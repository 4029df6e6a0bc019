/** How values travel over tRPC: superjson, with a short way for what is plain JSON anyway. */
import superjson, { type SuperJSONResult } from "superjson"
import { badRequest } from "../shared/errors.ts"
import { cleanJson } from "./cleanJson.ts"
import { applyMetadata } from "./metadata.ts"

/** The data transformer of the router; clients may use plain superjson. */
export const wire = {
  serialize(value: unknown): SuperJSONResult {
    // Walking a value with superjson costs more than the rest of a chat turn in the engine.
    return isPlain(value) ? { json: value as SuperJSONResult["json"] } : superjson.serialize(value)
  },
  deserialize: (sent: SuperJSONResult) => revive(cleanJson(sent)),
}

/**
 * The value of what was sent, which is clean already and nobody else's. superjson never sees it: it
 * believes whatever it is told. Refuses with 400 what it would not write, or not for our schemas.
 */
export function revive(sent: unknown): unknown {
  if (typeof sent !== "object" || sent === null) {
    throw badRequest("The input is not what superjson writes")
  }
  const { json, meta } = sent as { json?: unknown; meta?: unknown }
  return meta === undefined ? json : applyMetadata(json, meta)
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/**
 * Whether JSON says all there is to a value. Members that are undefined count as absent, which is
 * what the schemas say of them.
 */
function isPlain(value: unknown): boolean {
  if (typeof value !== "object") return isPlainLeaf(value)
  if (value === null) return true
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item !== "string" && !isPlain(item)) return false
    return true
  }
  if (!isPlainObject(value)) return false
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key]
    // Most members are texts, which need no call.
    if (typeof member !== "string" && member !== undefined && !isPlain(member)) return false
  }
  return true
}

/** JSON knows neither NaN nor infinities, nor that zero may be negative. */
function isPlainLeaf(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0)
  return typeof value === "string" || typeof value === "boolean"
}

/** How values travel over tRPC: superjson, with a short way for what is plain JSON anyway. */
import superjson, { type SuperJSONResult } from "superjson"
import { cleanJson } from "./cleanJson.ts"

/** The data transformer of the router; clients use plain superjson. */
export const wire = {
  serialize(value: unknown): SuperJSONResult {
    // Walking a value with superjson costs more than the rest of a chat turn in the engine.
    return isPlain(value) ? { json: value as SuperJSONResult["json"] } : superjson.serialize(value)
  },
  deserialize: (sent: SuperJSONResult) => revive(cleanJson(sent)),
}

/** The value of what was sent, which is clean already. Throws when superjson writes no such thing. */
export function revive(sent: unknown): unknown {
  const { json, meta } = sent as SuperJSONResult
  return meta === undefined ? json : superjson.deserialize({ json, meta })
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
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
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

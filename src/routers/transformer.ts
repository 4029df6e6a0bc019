/** The data transformer of tRPC: superjson, with a shortcut for plain JSON. */
import superjson, { type SuperJSONResult } from "superjson"
import { AppError, badRequest } from "../lib/errors.ts"
import { applyMetadata, cleanJson } from "./input.ts"

/** The transformer of the router; clients may use plain superjson. */
export const transformer = {
  serialize(value: unknown): SuperJSONResult {
    // Walking a value with superjson costs more than the rest of a chat turn in the engine.
    return isPlain(value) ? { json: value as SuperJSONResult["json"] } : superjson.serialize(value)
  },
  /** tRPC reads the inputs of a batch in one go: one that cannot be used must not spoil the others. */
  deserialize(sent: unknown): unknown {
    try {
      return revive(cleanJson(sent))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // No schema takes a function.
      const input = () => undefined
      unusable.set(input, error)
      return input
    }
  },
}

const unusable = new WeakMap<object, AppError>()

/** Why an input cannot be used at all; undefined when it can. */
export function whyUnusable(input: unknown): AppError | undefined {
  return typeof input === "function" ? unusable.get(input) : undefined
}

/**
 * The value of a clean input, which may be changed in place. Without superjson, which trusts its input:
 * refuses with 400 values that superjson would not write for our schemas.
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
 * Whether JSON can represent a value. Undefined members count as absent, as they do for the schemas.
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
    // Usually members are texts, which are checked without a call.
    if (typeof member !== "string" && member !== undefined && !isPlain(member)) return false
  }
  return true
}

/** JSON has no NaN, no infinities and no negative zero. */
function isPlainLeaf(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0)
  return typeof value === "string" || typeof value === "boolean"
}

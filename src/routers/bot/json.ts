/** Writes flows, or parts of them, as JSON. */
import type { Steps } from "../../engine/steps.ts"

/** Levels below which nothing is large: groups, a group, its blocks, a block. */
const defaultDepth = 4

/** As `JSON.stringify(value)` for a value out of JSON, with pauses down to that depth. */
export function* jsonOf(value: object, depth = defaultDepth): Steps<string> {
  if (depth === 0) {
    yield
    return JSON.stringify(value)
  }
  const parts: string[] = []
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue
    const text = isObject(member) ? yield* jsonOf(member, depth - 1) : JSON.stringify(member)
    parts.push(Array.isArray(value) ? text : `${JSON.stringify(key)}:${text}`)
  }
  return Array.isArray(value) ? `[${parts.join(",")}]` : `{${parts.join(",")}}`
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

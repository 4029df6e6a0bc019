/** Writes flows, or parts of them, as JSON. */
import type { Steps } from "./steps.ts"

/**
 * As `JSON.stringify(value)` for a value out of JSON. What lies so many levels below it is written
 * in a step each: 4 are those of a flow, its groups, a group, its blocks.
 */
export function* jsonOf(value: object, levels: number): Steps<string> {
  const parts: string[] = []
  yield* write(value, levels, parts)
  return parts.join("")
}

function* write(value: object, levels: number, parts: string[]): Steps<void> {
  const isList = Array.isArray(value)
  const [open, close] = isList ? "[]" : "{}"
  let before = open ?? ""
  for (const key in value) {
    const member: unknown = value[key as keyof typeof value]
    if (member === undefined) continue
    parts.push(isList ? before : `${before}${JSON.stringify(key)}:`)
    before = ","
    if (levels > 1 && typeof member === "object" && member !== null) {
      yield* write(member, levels - 1, parts)
    } else {
      parts.push(JSON.stringify(member))
      yield
    }
  }
  parts.push(before === "," ? "" : before, close ?? "")
}

/** Writes flows, or parts of them, as JSON. */
import type { Steps } from "./steps.ts"
import { stretchesOf, stretchLength } from "./stretches.ts"

/** Characters, or so, that are written without a pause. */
const pieceLength = 16_384

/**
 * The parts of `JSON.stringify(value)` for a value out of JSON, however large, in short steps.
 * Members that are undefined are left out.
 */
export function* jsonPartsOf(value: unknown): Steps<string[]> {
  const parts: string[] = []
  yield* write(value, parts)
  return parts
}

/** Whether the JSON of a value has so many characters at most, or nearly; found in a moment. */
export function isShort(value: unknown, length: number): boolean {
  return weigh(value, length) >= 0
}

function* write(value: unknown, parts: string[]): Steps<void> {
  if (isShort(value, pieceLength)) parts.push(JSON.stringify(value))
  else if (typeof value === "string") yield* writeText(value, parts)
  else if (Array.isArray(value)) yield* writeList(value, parts)
  else yield* writeMembers(value as object, parts)
  yield
}

/** What is left of so many characters when a value is written; negative: it may be any longer. */
function weigh(value: unknown, length: number): number {
  if (typeof value === "string") return length - value.length
  if (typeof value !== "object" || value === null) return length - 1
  let left = length - 2
  if (Array.isArray(value)) {
    for (const item of value) {
      left = weigh(item, left - 1)
      if (left < 0) return left
    }
    return left
  }
  for (const key in value) {
    left = weigh(value[key as keyof typeof value], left - key.length - 1)
    if (left < 0) return left
  }
  return left
}

/** Elements are written together as far as a piece takes them. */
function* writeList(list: readonly unknown[], parts: string[]): Steps<void> {
  let before = "["
  for (let from = 0; from < list.length; ) {
    parts.push(before)
    before = ","
    let to = from
    for (let left = pieceLength; to < list.length; to++) {
      left = weigh(list[to], left - 1)
      if (left < 0) break
    }
    if (to === from) {
      yield* write(list[from], parts)
      from++
    } else {
      parts.push(JSON.stringify(list.slice(from, to)).slice(1, -1))
      from = to
      yield
    }
  }
  parts.push("]")
}

function* writeMembers(members: object, parts: string[]): Steps<void> {
  let before = "{"
  let left = pieceLength
  for (const key in members) {
    const member: unknown = members[key as keyof typeof members]
    if (member === undefined) continue
    parts.push(`${before}${JSON.stringify(key)}:`)
    before = ","
    left = weigh(member, left - key.length - 1)
    if (left >= 0) {
      parts.push(JSON.stringify(member))
    } else {
      yield* write(member, parts)
      left = pieceLength
    }
  }
  parts.push(before === "{" ? "{}" : "}")
}

function* writeText(text: string, parts: string[]): Steps<void> {
  parts.push('"')
  for (const stretch of stretchesOf(text, stretchLength)) {
    parts.push(JSON.stringify(stretch).slice(1, -1))
    yield
  }
  parts.push('"')
}

/** Cuts answers to a size that assistants can read, and says where to read on. */
import { type Path, pointerOf } from "../authoring/lint/location.ts"
import { badRequest } from "../lib/errors.ts"

/** A part of an answer: what stands at a JSON Pointer, without its first items, members or characters. */
export type Part = { pointer: string; from: number }

/** Where an answer was cut: the part that is missing, and the number of all that are there. */
export type Cut = Part & { of: number }

/** Texts of so many characters are never cut. */
const short = 100

/** What fits into so many characters of JSON, from the start of a part on. Throws a 400 if there is none. */
export function cutAnswer(
  answer: unknown,
  most: number,
  { pointer, from: start }: Part = { pointer: "", from: 0 },
): { value: unknown; cuts: Cut[] } {
  const cuts: Cut[] = []
  let left = most

  const cutText = (text: string, path: Path, from: number) => {
    const rest = text.slice(from)
    const fits = rest.length <= left && JSON.stringify(rest).length <= left
    if (fits || rest.length <= short) {
      left -= JSON.stringify(rest).length
      return rest
    }
    // An escape takes up to six characters.
    const end = from + Math.max(short, Math.floor(left / 6))
    cuts.push({ pointer: pointerOf(path), from: end, of: text.length })
    left = 0
    return text.slice(from, end).toWellFormed()
  }
  const cutParts = <Key extends string | number>(
    parts: readonly [Key, unknown][],
    path: Path,
    from: number,
  ) => {
    const shown: [Key, unknown][] = []
    left -= 2
    for (const [index, [key, part]] of parts.slice(from).entries()) {
      if (left <= 0) {
        cuts.push({ pointer: pointerOf(path), from: from + index, of: parts.length })
        break
      }
      left -= typeof key === "number" ? 1 : JSON.stringify(key).length + 2
      shown.push([key, cut(part, [...path, key])])
    }
    return shown
  }
  const cutMembers = (members: object, path: Path, from: number) => {
    const all = Object.entries(members).filter(([, member]) => member !== undefined)
    return Object.fromEntries(cutParts(all, path, from))
  }
  const cut = (value: unknown, path: Path, from = 0): unknown => {
    if (value instanceof Date) return cutText(value.toISOString(), path, from)
    if (typeof value === "string") return cutText(value, path, from)
    if (Array.isArray(value)) {
      return cutParts([...value.entries()], path, from).map(([, part]) => part)
    }
    if (typeof value === "object" && value !== null) return cutMembers(value, path, from)
    left -= String(value).length
    return value
  }

  const keys = keysIn(pointer)
  return { value: cut(partOf(answer, keys), keys, start), cuts }
}

function keysIn(pointer: string): string[] {
  const [first, ...keys] = pointer.split("/")
  if (first !== "") throw badRequest('`part.pointer` must be empty or begin with "/"')
  return keys.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
}

function partOf(answer: unknown, keys: readonly string[]): unknown {
  let part = answer
  for (const key of keys) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) {
      throw badRequest("`part.pointer` leads to nothing in the answer")
    }
    part = (part as Record<string, unknown>)[key]
  }
  return part
}

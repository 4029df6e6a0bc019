/** Locates values in a flow: a JSON Pointer for programs, a place for people. */
import { pick, pickText } from "../../lib/foreignJson.ts"

/** A member name or the index of an element. */
export type Key = string | number

/** Keys from the root of an input to a value in it. */
export type Path = readonly Key[]

/** The JSON Pointer of a path (RFC 6901); of an empty one, the whole input: "". */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")
}

/**
 * `Group "Contact" › block 5 "email input" › item 2` for a path into the groups of a flow, and
 * `Variable 3 "Name"` in that manner for its events, edges and variables; else undefined. The path
 * may lead to the flow first, as in the body of a request.
 */
export function placeInFlow(path: Path, input: unknown): string | undefined {
  const start = path.findIndex((key, at) => parts.has(key) && typeof path[at + 1] === "number")
  const { noun, label } = parts.get(path[start] ?? "") ?? {}
  const index = path[start + 1]
  if (noun === undefined || label === undefined || typeof index !== "number") return undefined
  const part = pick(input, ...path.slice(0, start + 2))
  if (path[start] !== "groups") return named(noun, index, labelAt(part, label))
  return placeInGroup(path.slice(start + 2), part, index)
}

/** Parts of a flow that are lists, the noun of an element, and the member that labels it. */
const parts: ReadonlyMap<Key, { noun: string; label: string }> = new Map([
  ["groups", { noun: "Group", label: "title" }],
  ["events", { noun: "Event", label: "type" }],
  ["edges", { noun: "Edge", label: "id" }],
  ["variables", { noun: "Variable", label: "name" }],
])

/** `inside`: path within the group. */
function placeInGroup(inside: Path, group: unknown, index: number): string {
  const title = labelAt(group, "title")
  const place = title === undefined ? `Group ${index + 1}` : `Group "${title}"`
  const [member, block, items, item] = inside
  if (member !== "blocks" || typeof block !== "number") return place
  const within = `${place} › ${named("block", block, labelAt(group, "blocks", block, "type"))}`
  return items === "items" && typeof item === "number" ? `${within} › item ${item + 1}` : within
}

function named(noun: string, index: number, label: string | undefined): string {
  return `${noun} ${index + 1}${label === undefined ? "" : ` "${label}"`}`
}

const maxLabelLength = 100

function labelAt(root: unknown, ...path: Key[]): string | undefined {
  return pickText(root, ...path)?.slice(0, maxLabelLength)
}

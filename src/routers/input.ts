/**
 * Turns input into values that are safe to store: JSON of bounded depth, without `__proto__`,
 * whose text a database accepts; and applies validated metadata of superjson.
 */
import { badRequest } from "../lib/errors.ts"

type Members = Record<string, unknown>

const maxDepth = 64

/**
 * Cleans a parsed JSON value, in place where that can be, and returns it. More than 64 levels are refused; `__proto__`
 * members are dropped; NUL is removed from texts and a lone surrogate becomes U+FFFD, because neither
 * fits into a Postgres text. `source` is the JSON text it was parsed from, if available: a glance at
 * most texts shows that there is nothing to clean.
 */
export function cleanJson(value: unknown, source?: string): unknown {
  if (source === undefined || mayBeUnclean(source)) return clean(value, 1)
  if (mayBeDeep(source)) requireShallow(value, 1)
  return value
}

/** JSON has no bare NUL, and decoded UTF-8 no lone surrogates: both need escapes (RFC 8259, 7). */
function mayBeUnclean(source: string): boolean {
  return source.includes("\\u") || source.includes("__proto__")
}

/** Each level has a bracket, and most texts have fewer brackets than allowed levels. */
function mayBeDeep(source: string): boolean {
  let brackets = 0
  for (const bracket of ["{", "["]) {
    let at = source.indexOf(bracket)
    for (; at !== -1 && brackets <= maxDepth; at = source.indexOf(bracket, at + 1)) brackets++
  }
  return brackets > maxDepth
}

function requireShallow(value: unknown, depth: number): void {
  if (typeof value !== "object" || value === null) return
  if (depth > maxDepth) throw tooDeep()
  if (Array.isArray(value)) for (const item of value) requireShallow(item, depth + 1)
  else for (const key in value) requireShallow((value as Members)[key], depth + 1)
}

/** The same for one text. */
export function cleanText(text: string): string {
  const whole = text.includes("\0") ? text.replaceAll("\0", "") : text
  return whole.toWellFormed()
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value)
  if (typeof value !== "object" || value === null) return value
  if (depth > maxDepth) throw tooDeep()
  if (Array.isArray(value)) return cleanList(value, depth)
  return cleanMembers(value as Members, depth)
}

function tooDeep(): Error {
  return badRequest(`JSON may be nested at most ${maxDepth} levels deep`)
}

function cleanList(list: unknown[], depth: number): unknown[] {
  for (let index = 0; index < list.length; index++) list[index] = clean(list[index], depth + 1)
  return list
}

/** Names that need no cleaning stay; otherwise the members move to another object, because deleting is slow. */
function cleanMembers(members: Members, depth: number): unknown {
  // Names first: cleaning a value twice at each level would double the work at each.
  for (const key in members) {
    if (key === "__proto__" || cleanText(key) !== key) return withCleanNames(members, depth)
  }
  for (const key in members) members[key] = clean(members[key], depth + 1)
  return members
}

function withCleanNames(members: Members, depth: number): Members {
  const cleaned: Members = {}
  for (const key in members) {
    const name = cleanText(key)
    if (name !== "__proto__") cleaned[name] = clean(members[key], depth + 1)
  }
  return cleaned
}

/** Callers need no more than this: they can leave undefined members out instead. */
const maxEntries = 10_000
const maxPathLength = 4_096
const maxLevels = 64

/** The types that inputs can have; a reader returns undefined for a value of another form. */
const readers = new Map<unknown, (json: unknown) => { value: unknown } | undefined>([
  ["undefined", (json) => (json === null ? { value: undefined } : undefined)],
  ["number", (json) => (json === "-0" ? { value: -0 } : undefined)],
  ["Date", readDate],
])

function readDate(json: unknown): { value: Date } | undefined {
  if (typeof json !== "string" || json.length > 40) return undefined
  const value = new Date(json)
  return Number.isNaN(value.getTime()) ? undefined : { value }
}

/** Values whose JSON had metadata. */
const described = new WeakSet<object>()

/**
 * The value of clean JSON and its metadata; the JSON is changed in place. superjson itself would follow
 * any path, into prototypes and past the ends of lists, and construct any type. Here each entry costs
 * its own length, and must refer to a value that was sent. Refuses everything else with 400.
 */
export function applyMetadata(json: unknown, meta: unknown): unknown {
  const { values, isLegacy } = readMeta(meta)
  let value = json
  if (Array.isArray(values)) value = typed(json, values, "")
  else applyEntries(json, values, isLegacy)
  if (typeof value === "object" && value !== null) described.add(value)
  return value
}

function readMeta(meta: unknown) {
  if (!isMembers(meta)) throw refused("it must be an object")
  if (meta.referentialEqualities !== undefined) {
    throw refused("referentialEqualities are not taken: send each value where it belongs")
  }
  const { v = 0, values = {} } = meta
  if (v !== 0 && v !== 1) throw refused("its version is not known")
  if (!Array.isArray(values) && !isMembers(values)) throw refused("values must be an object")
  return { values, isLegacy: v === 0 }
}

function applyEntries(json: unknown, values: Members, isLegacy: boolean): void {
  let count = 0
  for (const path in values) {
    count += 1
    if (count > maxEntries) {
      throw refused(`it may name at most ${maxEntries} values: leave undefined members out`)
    }
    const keys = keysOf(path, isLegacy)
    const last = keys.pop()
    let parent = json
    for (const key of keys) parent = holderOf(parent, key, path)[key]
    if (last === undefined) throw unsent(path)
    const holder = holderOf(parent, last, path)
    holder[last] = typed(holder[last], values[path], path)
  }
}

/** The object or list that holds the key; throws when it does not. */
function holderOf(parent: unknown, key: string, path: string): Members {
  const isThere = Array.isArray(parent)
    ? /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < parent.length
    : isMembers(parent) && Object.hasOwn(parent, key)
  if (!isThere) throw unsent(path)
  return parent as Members
}

function typed(json: unknown, annotation: unknown, path: string): unknown {
  const [type, ...rest] = Array.isArray(annotation) ? annotation : []
  const read = rest.length === 0 ? readers.get(type) : undefined
  if (!read) {
    const known = [...readers.keys()].join(", ")
    throw refused(`the type of ${quoted(path)} is not taken; those that are: ${known}`)
  }
  const result = read(json)
  if (!result) throw refused(`${quoted(path)} is not written as its type is`)
  return result.value
}

/** The keys of a path, with dots and backslashes escaped; before version 1 only dots were. */
function keysOf(path: string, isLegacy: boolean): string[] {
  if (path.length > maxPathLength) throw refused("a path in it is too long")
  const keys = path.includes("\\") ? splitEscaped(path, isLegacy) : path.split(".", maxLevels + 1)
  if (keys.length > maxLevels) throw unsent(path)
  return keys
}

function splitEscaped(path: string, isLegacy: boolean): string[] {
  const keys: string[] = []
  let key = ""
  for (let at = 0; at < path.length; at++) {
    const [sign, next] = [path[at], path[at + 1]]
    if (sign === "." && keys.push(key)) key = ""
    else if (sign === "\\" && (next === "." || (next === "\\" && !isLegacy))) {
      key += next
      at += 1
    } else key += sign
  }
  return [...keys, key]
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function unsent(path: string) {
  return refused(`${quoted(path)} is not in the JSON`)
}

function quoted(path: string): string {
  return `"${path.length > 100 ? `${path.slice(0, 100)}…` : path}"`
}

function refused(why: string) {
  return badRequest(`The metadata of the input (meta) cannot be used: ${why}`)
}

/** Refuses an input whose values metadata of superjson has changed. */
export function requirePlain(sent: unknown): void {
  if (typeof sent === "object" && sent !== null && described.has(sent)) {
    throw badRequest("Chats take plain JSON: send the input without metadata (meta)")
  }
}

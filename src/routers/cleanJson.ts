/** Makes parsed JSON safe to store: bounded depth, no `__proto__`, only text that a database accepts. */
import { badRequest } from "../shared/errors.ts"

type Members = Record<string, unknown>

const maxDepth = 64

/**
 * Cleans a parsed JSON value in place and returns it. More than 64 levels are refused; `__proto__`
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

function cleanMembers(members: Members, depth: number): unknown {
  for (const key of Object.keys(members)) {
    const name = nameOf(key)
    if (name === undefined) delete members[key]
    else replace(members, { key, name, member: clean(members[key], depth + 1) })
  }
  return members
}

/** The clean name of a member. Returns undefined when it must be dropped. */
function nameOf(key: string): string | undefined {
  const cleanKey = cleanText(key)
  return key === "__proto__" || cleanKey === "__proto__" ? undefined : cleanKey
}

function replace(
  members: Members,
  { key, name, member }: { key: string; name: string; member: unknown },
): void {
  if (name !== key) delete members[key]
  members[name] = member
}

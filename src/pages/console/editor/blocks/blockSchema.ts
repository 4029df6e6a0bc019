/** The JSON Schema of the catalogue, as forms read it. */

/** What an editor offers for a member, or makes itself. */
type Hints = {
  id?: true
  variable?: true
  credentials?: string
  code?: "javascript" | "html" | "css" | "json"
  richText?: true
  edge?: true
  secret?: true
  template?: true
  refersTo?: "group" | "block" | "bot"
}

export type Schema = {
  title?: string
  description?: string
  type?: string | readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  enum?: readonly unknown[]
  examples?: readonly unknown[]
  const?: unknown
  default?: unknown
  deprecated?: boolean
  minimum?: number
  maximum?: number
  maxItems?: number
  "x-parley"?: Hints
}

/** Keys from the element to a member. */
export type Path = readonly (string | number)[]

/** A member that a form shows. */
export type Member = { name: string; schema: Schema; isRequired: boolean }

export const hintsOf = (schema: Schema): Hints => schema["x-parley"] ?? {}

/** The shapes of a value that may have one of several. */
export const shapesOf = ({ anyOf, oneOf = [] }: Schema): readonly Schema[] => anyOf ?? oneOf

export const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === "string" ? [type] : type

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The members that people fill in: neither what the editor makes nor what former versions had. */
export function membersOf({ properties = {}, required = [] }: Schema): Member[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { id, edge } = hintsOf(schema)
    const isOwn = id || edge || schema.deprecated || schema.const !== undefined
    if (isOwn || ownMembers.has(name)) return []
    return [{ name, schema, isRequired: required.includes(name) }]
  })
}

/** Set by the editor or the import, or of no use to chats. */
const ownMembers: ReadonlySet<string> = new Set([
  "id",
  "graphCoordinates",
  "isAdvancedConfig",
  "isUnsafe",
  "variablesForTest",
])

/** Members by which an object says what the others mean. */
const deciding = ["action", "type", "task"] as const

/** Whether a member counts for the action that an object names: `Ask Model: whether to search the web`. */
export function applies({ schema }: Member, owner: Schema, value: unknown): boolean {
  const name = deciding.find((each) => owner.properties?.[each] !== undefined)
  const choice = name && owner.properties?.[name]
  const [head, rest] = schema.description?.split(/: (.*)/s) ?? []
  if (name === undefined || choice === undefined || rest === undefined || !head) return true
  const values = (choice.enum ?? choice.examples ?? []).map(String)
  const named = head.split(", ").flatMap((part) => values.filter((each) => isNamed(each, part)))
  const chosen = isRecord(value) ? (value[name] ?? choice.default) : choice.default
  return named.length === 0 || chosen === undefined || named.includes(String(chosen))
}

const isNamed = (value: string, part: string) => value === part || value.startsWith(`${part} `)

/** What a member says beside its title, without what forms show otherwise. */
export function helpOf({ description = "", title = "" }: Schema): string | undefined {
  const help = description
    .replace(/; default [^;]*/, "")
    .replace(/; may hold \{\{variables\}\}/, "")
    .trim()
  return help === "" || help.toLowerCase() === title.toLowerCase() ? undefined : help
}

/** The value at a path. */
export function valueAt(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined) return value
  const part =
    isRecord(value) || Array.isArray(value) ? value[key as keyof typeof value] : undefined
  return valueAt(part, rest)
}

/** The same value with another one at a path; undefined removes the member. Everything else stays as it is. */
export function withValue(value: unknown, [key, ...rest]: Path, next: unknown): unknown {
  if (key === undefined) return next
  if (typeof key === "number" || Array.isArray(value)) {
    const list = Array.isArray(value) ? [...value] : []
    list[Number(key)] = withValue(list[Number(key)], rest, next)
    return list
  }
  const record = isRecord(value) ? value : {}
  const part = withValue(record[key], rest, next)
  if (part !== undefined) return { ...record, [key]: part }
  const { [key]: _, ...others } = record
  return others
}

/** The types of bodies that a bot exchanges with other systems. */
import { emptyObject, listType, literal, objectType, unionType } from "./typeScript.ts"

/** Larger parts become `unknown`. */
const limits = { template: 64_000, expression: 1_000, expressions: 1_000, depth: 8 }

/** The parts of a body that are read: members by name, the elements of a list as "[]". */
type Read = Map<string, Read>

/** The type of a call's body, derived from expressions such as `data.order.id`. */
export function readType(expressions: readonly string[]): string {
  const root: Read = new Map()
  let isWhole = expressions.length > 0
  for (const expression of expressions.slice(0, limits.expressions)) {
    const path = pathIn(expression)
    // The status of a call is always the same.
    if (path === undefined || path[0] === element) isWhole = isWhole && isStatus(expression)
    else add(root, path)
  }
  if (root.size === 0) return "{ [name: string]: unknown }"
  const type = typeOfRead(root)
  return isWhole ? type : `${type} & { [name: string]: unknown }`
}

/** The type of a body from a template: JSON whose texts and values may contain variables. */
export function sentType(template: string): string {
  const json = template.length > limits.template ? undefined : withoutTokens(template)
  if (json === undefined) return "unknown"
  try {
    return typeOfJson(JSON.parse(json), limits.depth)
  } catch {
    return "unknown"
  }
}

const element = "[]"
const token = "{{"

/** The steps from `data` to the value that an expression reads; undefined: it does more than that. */
function pathIn(expression: string): string[] | undefined {
  if (expression.length > limits.expression) return undefined
  const code = expression.trim().replace(/^return\s+/, "")
  const path: string[] = []
  const step =
    /\s*(?:\??\.\s*([A-Za-z_$][\w$]*)|(?:\?\.)?\[\s*(?:(\d+)|"([^"\\]*)"|'([^'\\]*)')\s*\])/y
  step.lastIndex = "data".length
  if (!/^data\b/.test(code)) return undefined
  for (;;) {
    const from = step.lastIndex
    const found = step.exec(code)
    if (!found) return path.length > 0 && /^\s*;?$/.test(code.slice(from)) ? path : undefined
    const [, name, index, double, single] = found
    path.push(index === undefined ? (name ?? double ?? single ?? "") : element)
    if (path.length > limits.depth) return undefined
  }
}

function isStatus(expression: string): boolean {
  return /^(?:return\s+)?statusCode;?$/.test(expression.trim())
}

function add(root: Read, path: readonly string[]): void {
  let at = root
  for (const step of path) {
    const next: Read = at.get(step) ?? new Map()
    at.set(step, next)
    at = next
  }
}

function typeOfRead(read: Read): string {
  const elements = read.get(element)
  // Members of the list itself, such as its length, are part of its type.
  if (elements) return listType(typeOfRead(elements))
  if (read.size === 0) return "unknown"
  return objectType([...read].map(([name, of]) => ({ name, type: typeOfRead(of) })))
}

/**
 * The template with a mark instead of each token, as a value or within a text. Undefined: a token does not
 * end.
 */
function withoutTokens(template: string): string | undefined {
  let json = ""
  let isText = false
  for (let at = 0; at < template.length; at++) {
    const sign = template.charAt(at)
    if (template.startsWith(token, at)) {
      const close = template.startsWith("{{=", at) ? "=}}" : "}}"
      const end = template.indexOf(close, at + token.length)
      if (end === -1) return undefined
      json += isText ? `${token}}}` : `"${token}"`
      at = end + close.length - 1
    } else if (isText && sign === "\\") {
      json += sign + template.charAt(++at)
    } else {
      if (sign === '"') isText = !isText
      json += sign
    }
  }
  return json
}

function typeOfJson(value: unknown, depth: number): string {
  if (value === null || typeof value === "boolean" || typeof value === "number") {
    return value === null ? "null" : typeof value
  }
  if (typeof value === "string") return typeOfText(value)
  if (depth === 0) return "unknown"
  const typeOfPart = (part: unknown) => typeOfJson(part, depth - 1)
  if (Array.isArray(value)) return listType(unionType(value.map(typeOfPart)) || "unknown")
  const members = Object.entries(value as object)
  const known = members.filter(([name]) => !name.includes(token))
  const rest = known.length < members.length ? "{ [name: string]: unknown }" : ""
  if (known.length === 0) return rest || emptyObject
  const type = objectType(known.map(([name, part]) => ({ name, type: typeOfPart(part) })))
  return rest ? `${type} & ${rest}` : type
}

/** Max characters of a literal type. */
const maxLiteralLength = 100

function typeOfText(text: string): string {
  if (text === token) return "unknown"
  return text.includes(token) || text.length > maxLiteralLength ? "string" : literal(text)
}

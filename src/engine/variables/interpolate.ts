/** Reads texts with tokens `{{name}}` and inline code `{{=source=}}`, and fills in their values. */
import { LRUCache } from "lru-cache"
import { memoize } from "../../lib/memoize.ts"
import { type Fuel, maxCallLength, OutOfFuel, spend, textUnits } from "../budget/fuel.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"
import { identifierOf } from "./identifier.ts"

/** The variables for a block: definitions of the current bot with their current values. */
export type Variables = {
  /** Current value; undefined when unset, unknown or without an id. Never null. */
  value(variableId: string | undefined): VariableValue | undefined
  /** Whether the current value is visitor input, which is shown as plain text. */
  isPlain(variableId: string | undefined): boolean
  /** First variable of that exact name, with its current value; after a `$` one of the workspace, too. */
  named(name: string): Variable | undefined
  /** Definition by id, with its current value; undefined when the bot has no such variable. */
  definition(variableId: string | undefined): Variable | undefined
  /** Every variable with its current value, the last changed one last; none of the workspace. */
  list(): Variable[]
  /** The same for calls, in which secrets of the workspace are marks. */
  forCalls(): Variables
}

/** Inputs of interpolation: the variables, the results of inline code, and a budget. */
export type Scope = {
  readonly variables: Variables
  readonly fuel: Fuel
  /** Outcome of an inline expression, by its source; undefined when it failed or did not run. */
  inline(source: string): { value: unknown } | undefined
}

/**
 * How a value is printed. `value`: text unchanged, a list as JSON. `id`: the variable's name in code. `json`:
 * escaped for a JSON string, a list as a JSON array. `html`: angle brackets escaped. `markup`: visitor input
 * escaped for HTML. `lastOfList`: only the last element of a list.
 */
type Mode = "value" | "id" | "json" | "html" | "markup" | "lastOfList"

/** The text with its tokens replaced; an unset or unknown variable prints nothing. */
export function interpolate(text: string | undefined, scope: Scope, mode: Mode = "value"): string {
  return fill(text, scope, (token) => print(token, scope, mode))
}

/** A token of a text: of a variable, or inline code. */
export type Token = { readonly name: string } | { readonly source: string }

/** Builds a text: reads the author's stretches, and prints each value for its place. */
type Writer = {
  literal(written: string): void
  value(printed: string, token: Token): string
}

/** The text with its tokens replaced by a writer's output. */
export function interpolateWith(text: string | undefined, scope: Scope, writer: Writer): string {
  return fill(
    text,
    scope,
    (token) => writer.value(print(token, scope, "value"), token),
    writer.literal,
  )
}

function print(token: Token, scope: Scope, mode: Mode): string {
  return "name" in token
    ? printToken(token.name, scope, mode)
    : printInline(token.source, scope, mode)
}

function fill(
  text: string | undefined,
  scope: Scope,
  valueFor: (token: Token) => string,
  note?: (written: string) => void,
): string {
  if (!text) return ""
  spend(scope.fuel, textUnits(text.length))
  if (!text.includes("{{")) return text
  const parts = templateOf(text)
  spend(scope.fuel, partUnits * parts.length)
  let printed = ""
  for (const part of parts) {
    if (typeof part === "string") {
      note?.(part)
      printed += part
      continue
    }
    const value = valueFor(part)
    spend(scope.fuel, textUnits(value.length))
    printed += value
    // No receiver accepts a longer text.
    if (printed.length > maxCallLength) throw new OutOfFuel()
  }
  return printed
}

/**
 * The number of an option, or of its filled text: a first comma counts as decimal point, trailing words are
 * ignored. Undefined when it is not a number.
 */
export function readNumber(value: number | string | undefined, scope: Scope): number | undefined {
  const number =
    typeof value === "string"
      ? Number.parseFloat(interpolate(value, scope).replace(",", "."))
      : value
  return number !== undefined && Number.isFinite(number) ? number : undefined
}

/** The cost of a part of a text or a member of a structure, apart from its size. */
export const partUnits = 3

/** Name of the variable when the text is exactly one token, untrimmed; else undefined. */
export function singleToken(text: string | undefined): string | undefined {
  if (text === undefined || !text.startsWith("{{")) return undefined
  const name = exactToken.exec(text)?.[1]
  return name === undefined || isInline(name) ? undefined : name
}

/** The variable's current value if the text is exactly one token; undefined: unset, or not a token. */
export function tokenValue(
  text: string | undefined,
  { variables }: Scope,
): VariableValue | undefined {
  const name = singleToken(text)
  return name === undefined ? undefined : variables.named(name)?.value
}

/** Distinct names of the text's tokens, those within inline code too, in order. */
export function tokensIn(text: string): string[] {
  if (!text.includes("{{")) return []
  const names = new Set<string>()
  for (const part of templateOf(text)) {
    if (typeof part === "string") continue
    if ("name" in part) names.add(part.name)
    else for (const name of tokensIn(part.source)) names.add(name)
  }
  return [...names]
}

/**
 * The distinct sources of inline code in a structure's texts, in order. Memoized: a block of an immutable
 * version is searched once for all chats.
 */
export const inlineCodesIn = memoize((structure: object): readonly string[] => {
  const sources = new Set<string>()
  const search = (value: unknown) => {
    if (typeof value === "string") {
      if (!value.includes("{{=")) return
      for (const part of templateOf(value)) {
        if (typeof part !== "string" && "source" in part) sources.add(part.source)
      }
    } else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) search(member)
    }
  }
  search(structure)
  return sources.size === 0 ? none : [...sources]
})

const none: readonly string[] = []

/**
 * Whether the printed text may contain visitor input: from a variable, or from inline code that mentions one.
 */
export function isTainted(text: string | undefined, scope: Scope): boolean {
  if (!text?.includes("{{")) return false
  return templateOf(text).some((part) => {
    if (typeof part === "string") return false
    if ("source" in part) return isTainted(part.source, scope)
    const variable = scope.variables.named(part.name)
    return variable !== undefined && scope.variables.isPlain(variable.id)
  })
}

/** Prints a value of a variable or of inline code: a list as JSON, null and undefined as "". */
function printValue(value: unknown): string {
  if (value === undefined || value === null) return ""
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "")
}

function printToken(name: string, scope: Scope, mode: Mode): string {
  const variable = scope.variables.named(name)
  if (!variable) return ""
  if (mode === "id") return identifierOf(variable.id)
  const { value } = variable
  if (mode === "lastOfList" && Array.isArray(value)) return value.at(-1) ?? ""
  const text = printValue(value)
  if (mode === "json" && typeof value === "string") return JSON.stringify(text).slice(1, -1)
  if (mode === "html") return withoutTags(text)
  return mode === "markup" && scope.variables.isPlain(variable.id) ? escapeHtml(text) : text
}

// Values are never read as templates: a visitor could otherwise print any variable.
function printInline(source: string, scope: Scope, mode: Mode): string {
  const outcome = scope.inline(source)
  // Code may split an emoji, and addresses cannot contain a lone surrogate. Failed code prints nothing: its
  // source is the author's, and the log names the block.
  const text = printValue(outcome?.value).toWellFormed()
  if (mode === "html") return withoutTags(text)
  return mode === "markup" && isTainted(source, scope) ? escapeHtml(text) : text
}

const withoutTags = (text: string) => text.replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Escapes a text for HTML and its attributes. */
export function escapeHtml(text: string): string {
  return withoutTags(text.replaceAll("&", "&amp;"))
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}

const exactToken = /^\{\{([^{}]+)\}\}$/
const isInline = (name: string) => name.length > 1 && name.startsWith("=") && name.endsWith("=")

/** A literal stretch, a token `{{name}}`, or inline code `{{=source=}}`. */
type Part = string | Token

// Bounded by count and by characters, because visitor input is parsed here too.
const templates = new LRUCache<string, readonly Part[]>({
  max: 5000,
  maxSize: 1_000_000,
  maxEntrySize: 100_000,
  sizeCalculation: (_parts, text) => text.length,
})

/** The rest of a token after `{{`: its name and its end. */
const nameAndEnd = /[^{}]+\}\}/y

/** The parts of a text, in order; no literal is empty or follows another one. */
export function templateOf(text: string): readonly Part[] {
  if (!text.includes("{{")) return text === "" ? [] : [text]
  const known = templates.get(text)
  if (known) return known
  const parts = split(text)
  templates.set(text, parts)
  return parts
}

function split(text: string): Part[] {
  const parts: Part[] = []
  const tokens = new Map<string, Part>()
  let from = 0
  for (const span of inlineSpans(text)) {
    splitTokens(text.slice(from, span.start), parts, tokens)
    parts.push({ source: text.slice(span.start + 3, span.end) })
    from = span.end + 3
  }
  splitTokens(text.slice(from), parts, tokens)
  return parts
}

// One object per name, and no match per token: a flow of 4 MB can hold 800,000 of them.
function splitTokens(text: string, parts: Part[], tokens: Map<string, Part>): void {
  let from = 0
  let start = text.indexOf("{{")
  while (start !== -1) {
    nameAndEnd.lastIndex = start + 2
    const isToken = nameAndEnd.test(text)
    if (isToken) {
      if (start > from) parts.push(text.slice(from, start))
      from = nameAndEnd.lastIndex
      const name = text.slice(start + 2, from - 2)
      const token = tokens.get(name) ?? { name }
      tokens.set(name, token)
      parts.push(token)
    }
    start = text.indexOf("{{", isToken ? from : start + 1)
  }
  if (from < text.length) parts.push(text.slice(from))
}

// Pointers that only move forward: a regular expression would be quadratic on `{{={{={{=`.
function inlineSpans(text: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let start = text.indexOf("{{=")
  let end = -1
  let lineEnd = -1
  while (start !== -1) {
    if (end < start + 3) end = text.indexOf("=}}", start + 3)
    if (end === -1) break
    if (lineEnd < start) lineEnd = lineEndAfter(text, start)
    const isClosed = end < lineEnd
    if (isClosed) spans.push({ start, end })
    start = text.indexOf("{{=", isClosed ? end + 3 : lineEnd)
  }
  return spans
}

function lineEndAfter(text: string, from: number): number {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

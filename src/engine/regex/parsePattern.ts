/** Reads the source of a JavaScript regular expression into a tree. */

/** A pattern without back references. Groups capture nothing, because matching only returns yes or no. */
export type Pattern =
  /** One character, described by a piece of regular expression. */
  | { kind: "character"; source: string }
  | { kind: "sequence"; parts: Pattern[] }
  | { kind: "either"; options: Pattern[] }
  | { kind: "repeat"; body: Pattern; min: number; max: number }
  | { kind: "position"; at: "start" | "end" | "wordEdge" | "insideWord" }
  | { kind: "look"; body: Pattern; isAhead: boolean; isNegated: boolean }

type Reader = { source: string; isUnicode: boolean; at: number; depth: number }

/** Levels of nested groups; far below the depth at which walking the tree overflows the stack. */
const maxDepth = 100

/**
 * The tree of a pattern that JavaScript accepts (ECMA-262 2023, 22.2.1 and annex B.1.2); undefined
 * when it is nested deeper than 100 groups, holds a back reference or a rare form of escape or group that is not supported.
 */
export function parsePattern(source: string, isUnicode: boolean): Pattern | undefined {
  const reader: Reader = { source, isUnicode, at: 0, depth: 0 }
  const pattern = readEither(reader)
  return reader.at === source.length ? pattern : undefined
}

function readEither(reader: Reader): Pattern | undefined {
  const options: Pattern[] = []
  do {
    const option = readSequence(reader)
    if (!option) return undefined
    options.push(option)
  } while (take(reader, /\|/y) !== undefined)
  const [only] = options
  return only && options.length === 1 ? only : { kind: "either", options }
}

function readSequence(reader: Reader): Pattern | undefined {
  const parts: Pattern[] = []
  while (reader.at < reader.source.length && !"|)".includes(reader.source.charAt(reader.at))) {
    const term = readTerm(reader)
    if (!term) return undefined
    parts.push(quantified(term, take(reader, /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y)))
  }
  return { kind: "sequence", parts }
}

function quantified(body: Pattern, quantifier: string | undefined): Pattern {
  if (quantifier === undefined) return body
  if (quantifier.startsWith("*")) return { kind: "repeat", body, min: 0, max: Infinity }
  if (quantifier.startsWith("+")) return { kind: "repeat", body, min: 1, max: Infinity }
  if (quantifier.startsWith("?")) return { kind: "repeat", body, min: 0, max: 1 }
  const [min, max] = quantifier.replace(/[{}?]/g, "").split(",")
  const atLeast = Number(min)
  return { kind: "repeat", body, min: atLeast, max: max === "" ? Infinity : Number(max ?? min) }
}

const positions = new Map<string, Pattern>([
  ["^", { kind: "position", at: "start" }],
  ["$", { kind: "position", at: "end" }],
  ["\\b", { kind: "position", at: "wordEdge" }],
  ["\\B", { kind: "position", at: "insideWord" }],
])

function readTerm(reader: Reader): Pattern | undefined {
  const opening = take(reader, /\((?:\?(?::|<?[=!]|<[^=!>][^>]*>))?/y)
  if (opening !== undefined) return readGroup(reader, opening)
  const position = positions.get(take(reader, /[\^$]|\\[bB]/y) ?? "")
  if (position) return position
  const source = readCharacter(reader)
  return source === undefined ? undefined : { kind: "character", source }
}

function readGroup(reader: Reader, opening: string): Pattern | undefined {
  if (reader.depth >= maxDepth) return undefined
  reader.depth += 1
  const body = readEither(reader)
  reader.depth -= 1
  if (!body || take(reader, /\)/y) === undefined) return undefined
  const look = /^\(\?(<?)([=!])$/.exec(opening)
  if (!look) return body
  return { kind: "look", body, isAhead: look[1] === "", isNegated: look[2] === "!" }
}

/** Source of one character, class or escape, such that it means the same on its own. */
function readCharacter(reader: Reader): string | undefined {
  if (reader.source.charAt(reader.at) === "\\") {
    return take(reader, reader.isUnicode ? unicodeEscape : plainEscape)
  }
  // A question mark here belongs to a kind of group that JavaScript got only after 2023.
  return take(
    reader,
    reader.isUnicode ? /\[(?:\\.|[^\]\\])*\]|[^?]/suy : /\[(?:\\.|[^\]\\])*\]|[^?]/sy,
  )
}

// Digits, k and an incomplete \c mean a back reference, an octal number or a backslash.
const unicodeEscape =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|0(?!\d)|[^\dkcuxpP])/suy
const plainEscape = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|0(?!\d)|[^\dkc])/sy

function take(reader: Reader, token: RegExp): string | undefined {
  token.lastIndex = reader.at
  const found = token.exec(reader.source)?.[0]
  reader.at += found?.length ?? 0
  return found
}

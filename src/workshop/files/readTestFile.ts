/** Reads a test file, YAML or JSON, and names every mistake by line and column. */
import {
  type Document,
  isCollection,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from "yaml"
import { flattenIssues } from "../../authoring/lint/issues.ts"
import { type TestFile, testFileSchema } from "./testFileSchema.ts"

/** A line and a column, both counted from 1; columns count UTF-16 units. */
export type Position = { line: number; column: number }

export type Mistake = Position & { message: string }

export type ReadTestFile = {
  file: TestFile
  /** The source of the file. */
  text: string
  /** The position of a path of keys, or of its nearest existing parent. */
  positionOf(path: readonly PropertyKey[]): Position
}

/** Max characters of a file. */
const maxFileLength = 1_000_000

/** Max mistakes reported at once. */
const maxMistakes = 50

/** Max YAML aliases in a file. */
const maxAliases = 1_000

/** Reads the text of a file. Returns its mistakes when it has any. */
export function readTestFile(text: string, aliasLimit = maxAliases): ReadTestFile | Mistake[] {
  if (text.length > maxFileLength) {
    return [{ ...start, message: `The file is longer than ${maxFileLength} characters` }]
  }
  try {
    return read(text, aliasLimit)
  } catch (error) {
    // The parsers are recursive.
    if (!(error instanceof RangeError)) throw error
    return [{ ...start, message: tooDeep }]
  }
}

const start: Position = { line: 1, column: 1 }
const tooDeep = "The file has too many levels"

function read(text: string, aliasLimit: number): ReadTestFile | Mistake[] {
  const lines = new LineCounter()
  // The parser would compare each key with all others of its mapping.
  const options = { uniqueKeys: false, prettyErrors: false }
  const document = parseDocument(text, { lineCounter: lines, ...options })
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const [first] = document.errors
  if (first) {
    return document.errors.slice(0, maxMistakes).map(({ message, pos }) => ({
      ...at(pos[0]),
      // The parser's own failure.
      message: message.startsWith("Maximum call stack") ? tooDeep : message,
    }))
  }
  const odd = oddNode(document, aliasLimit)
  if (odd) return [{ ...at(odd.offset), message: odd.message }]
  keepMessagesAsText(document)
  const positionOf = (path: readonly PropertyKey[]) => at(offsetOf(document, path))
  const raw = toJson(document)
  if (raw instanceof Error) return [{ ...start, message: raw.message }]
  const parsed = testFileSchema.safeParse(raw)
  if (parsed.success) return { file: parsed.data, text, positionOf }
  return flattenIssues(parsed.error.issues, raw)
    .slice(0, maxMistakes)
    .map(({ path, message }) => ({ ...positionOf(path), message: named(path, message) }))
}

/** Whether reading failed. */
export function hasMistakes(read: ReadTestFile | Mistake[]): read is Mistake[] {
  return Array.isArray(read)
}

/**
 * Keeps messages such as 007 as text instead of numbers, but not members of the same name elsewhere, as in
 * bodies.
 */
function keepMessagesAsText(document: Document): void {
  visit(document, {
    Pair(_, { key, value }, above) {
      const names = above.flatMap((each) => (isPair(each) ? String(each.key) : [])).join()
      const isStep = names === "conversation" || names === "tests,conversation"
      const isSaid = isStep && isScalar(key) && (key.value === "user" || key.value === "bot")
      if (isSaid && isScalar(value) && typeof value.value !== "string" && value.source) {
        value.value = value.source
      }
    },
  })
}

type Odd = { offset: number; message: string }

/** The first duplicate key of a mapping, or the first alias too many. */
function oddNode(document: Document, most: number): Odd | undefined {
  let aliases = 0
  let found: Odd | undefined
  const report = (node: unknown, message: string) => {
    const [offset = 0] = (isNode(node) && node.range) || []
    found = { offset, message }
    return visit.BREAK
  }
  visit(document, {
    Alias(_, node) {
      aliases += 1
      return aliases > most ? report(node, `Aliases may be used at most ${most} times`) : undefined
    },
    Map(_, { items }) {
      const known = new Set<unknown>()
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : key
        if (known.has(value)) return report(key, "Map keys must be unique")
        known.add(value)
      }
      return undefined
    },
  })
  return found
}

/** The value parser refuses exponentially growing aliases. */
function toJson(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: maxAliases })
  } catch (error) {
    return error
  }
}

function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const found = pairAt(document, path.slice(0, length))
    if (found !== undefined) return found
  }
  return 0
}

/** Members are found by their keys, items by themselves. */
function pairAt(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents
  if (!isCollection(parent)) return undefined
  const key = path.at(-1)
  const item =
    typeof key === "number"
      ? parent.items[key]
      : parent.items.find((pair) => isPair(pair) && isScalar(pair.key) && pair.key.value === key)
  const node = isPair(item) ? item.key : item
  return isNode(node) ? node.range?.[0] : undefined
}

function named(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `${path.map(String).join(" › ")}: ${message}`
}

/** Writes changed steps into the text of a test file, and keeps every other character. */
import {
  Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml"
import type { NewStep, StepEdit } from "./mendTest.ts"

/** Edits of one conversation, and its keys. */
export type ConversationEdits = { path: readonly (string | number)[]; edits: readonly StepEdit[] }

type Splice = { from: number; to: number; text: string }

/** The text with these edits; undefined: its form cannot be edited in place. */
export function rewriteSteps(
  text: string,
  conversations: readonly ConversationEdits[],
): string | undefined {
  const document = parseDocument(text, { keepSourceTokens: true })
  const splices: Splice[] = []
  for (const { path, edits } of conversations) {
    if (edits.length === 0) continue
    const list = document.getIn(path, true)
    if (!isSeq(list) || hasAnchors(list)) return undefined
    const editor = list.flow ? flowEditor(text, list) : blockEditor(text, list)
    for (const edit of edits) {
      if (edit.kind === "insert") splices.push(editor.insert(edit.at, edit.step))
      if (edit.kind === "replace") splices.push(replaced(text, list.items[edit.at], edit.step))
    }
    splices.push(...runsOf(edits).map(([first, last]) => editor.remove(first, last)))
  }
  const inOrder = splices.toSorted((one, other) => one.from - other.from || one.to - other.to)
  let written = ""
  let at = 0
  for (const { from, to, text: part } of inOrder) {
    if (from < at) return undefined
    written += text.slice(at, from) + part
    at = to
  }
  return written + text.slice(at)
}

function hasAnchors(list: YAMLSeq): boolean {
  let isFound = false
  visit(list, (_, node) => {
    if (isAlias(node) || (isNode(node) && "anchor" in node && node.anchor)) isFound = true
  })
  return isFound
}

/** Steps to remove that follow one another: `[first, last]`. */
function runsOf(edits: readonly StepEdit[]): [number, number][] {
  const runs: [number, number][] = []
  const removed = edits.filter(({ kind }) => kind === "remove").map(({ at }) => at)
  for (const at of removed.toSorted((one, other) => one - other)) {
    const run = runs.at(-1)
    if (run && run[1] === at - 1) run[1] = at
    else runs.push([at, at])
  }
  return runs
}

type ListEditor = {
  insert(at: number, step: NewStep): Splice
  remove(first: number, last: number): Splice
}

/** Items on lines of their own, each after a dash. */
function blockEditor(text: string, list: YAMLSeq): ListEditor {
  const dashes = dashesOf(list)
  const lineStart = (offset: number) => text.lastIndexOf("\n", offset - 1) + 1
  /** Before the comments above an item, or after the last item. */
  const before = (at: number): number => {
    const dash = dashes[at]
    if (dash === undefined) return lineAfter(text, endOf(text, list.items.at(-1)))
    // The last lines of a text may look like comments.
    const least = at > 0 ? lineAfter(text, endOf(text, list.items[at - 1])) : 0
    let from = lineStart(dash)
    for (let above = lineStart(from - 1); from > least; above = lineStart(from - 1)) {
      if (!/^[ \t]*#/.test(text.slice(above, from))) break
      from = above
    }
    return from
  }
  const first = dashes[0] ?? 0
  const indent = text.slice(lineStart(first), first)
  const eol = eolOf(text)
  return {
    insert(at, step) {
      const from = before(at)
      const lines = indented(pairText(step, undefined), `${indent}  `, eol)
      const start = from > 0 && text[from - 1] !== "\n" ? eol : ""
      return { from, to: from, text: `${start}${indent}- ${lines}${eol}` }
    },
    remove(start, end) {
      return { from: lineStart(dashes[start] ?? 0), to: before(end + 1), text: "" }
    },
  }
}

function dashesOf({ srcToken }: YAMLSeq): number[] {
  if (srcToken?.type !== "block-seq") return []
  return srcToken.items.flatMap(({ start }) => {
    const dash = start.find(({ type }) => type === "seq-item-ind")
    return dash ? [dash.offset] : []
  })
}

/** Items between brackets, as in JSON. */
function flowEditor(text: string, list: YAMLSeq): ListEditor {
  const spans = list.items.map((item) => spanOf(item))
  const [start = 0] = list.range ?? []
  const inside = spans[0] ? text.slice(start + 1, spans[0].from) : ""
  const between =
    spans[1] && spans[0] ? text.slice(spans[0].to, spans[1].from) : `,${inside || " "}`
  const written = (step: NewStep) => likeSiblings(text, list, step)
  let isBegun = false
  return {
    insert(at, step) {
      const [span, last] = [spans[at], spans.at(-1)]
      if (span) return { from: span.from, to: span.from, text: `${written(step)}${between}` }
      const from = last?.to ?? start + 1
      const comma = last || isBegun ? between : ""
      isBegun = true
      return { from, to: from, text: `${comma}${written(step)}` }
    },
    remove(first, end) {
      const [onward, back] = [spans[end + 1], spans[first - 1]]
      const [one, other] = [spans[first], spans[end]]
      if (onward) return { from: one?.from ?? 0, to: onward.from, text: "" }
      return { from: back?.to ?? one?.from ?? 0, to: other?.to ?? 0, text: "" }
    },
  }
}

/** Formats an item like its siblings, on one line or on several. */
function likeSiblings(text: string, list: YAMLSeq, step: NewStep): string {
  const [[name = "", value] = []] = Object.entries(step)
  const sibling = list.items.find((item): item is YAMLMap => isMap(item) && item.items.length === 1)
  const [pair] = sibling?.items ?? []
  if (!sibling || !isScalar(pair?.key) || !isNode(pair?.value))
    return `{ ${quoted(name)}: ${quoted(value)} }`
  const [whole, key, inner] = [spanOf(sibling), spanOf(pair.key), spanOf(pair.value)]
  const isQuoted = pair.key.type !== Scalar.PLAIN
  return [
    text.slice(whole.from, key.from),
    isQuoted ? quoted(name) : name,
    text.slice(key.to, inner.from),
    quoted(value),
    text.slice(inner.to, whole.to),
  ].join("")
}

/** The value of a step, in its former style. */
function replaced(text: string, item: unknown, step: NewStep): Splice {
  const map = item as YAMLMap
  const [pair] = map.items
  const [key, value] = [pair?.key as Node, pair?.value as Node]
  const to = endOf(text, value)
  const { from } = spanOf(key)
  if (map.flow) {
    const [[, next] = []] = Object.entries(step)
    return { from: spanOf(value).from, to, text: flowText(next, value) }
  }
  const hasMore = /^[ \t]*[^\s]/.test(text.slice(to, lineAfter(text, to)))
  const column = " ".repeat(from - (text.lastIndexOf("\n", from - 1) + 1))
  const style = hasMore ? Scalar.QUOTE_DOUBLE : isScalar(value) ? value.type : undefined
  return { from, to, text: indented(pairText(step, style), column, eolOf(text)) }
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n"
}

/** Lines after the first get an indent, unless they are empty. */
function indented(text: string, indent: string, eol: string): string {
  return text.replaceAll(/\n(?!\n|$)/g, `\n${indent}`).replaceAll("\n", eol)
}

/** `bot: …` in YAML, on several lines where the text has several. */
function pairText(step: NewStep, style: Scalar["type"] | undefined): string {
  const document = new Document(step)
  visit(document, {
    Map(key, map) {
      if (key !== null) map.flow = true
    },
    Scalar(key, scalar) {
      if (key === "value" && typeof scalar.value === "string") {
        scalar.type = styleOf(scalar.value, style)
      }
    },
  })
  return document
    .toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY })
    .trimEnd()
}

/** Keeps several lines, unless an editor would change them or a comment follows. */
function styleOf(value: string, style: Scalar["type"] | undefined): NonNullable<Scalar["type"]> {
  const isQuoted = style === Scalar.QUOTE_DOUBLE || style === Scalar.QUOTE_SINGLE
  if (/[ \t](?:\n|$)|\n$|[\u2028\u2029\ufeff\r]/.test(value)) return Scalar.QUOTE_DOUBLE
  if (value.includes("\n")) return isQuoted ? Scalar.QUOTE_DOUBLE : Scalar.BLOCK_LITERAL
  return isQuoted ? style : Scalar.PLAIN
}

/** A value within braces, on one line. */
function flowText(value: unknown, before: Node): string {
  const isPlain = isScalar(before) && before.type === Scalar.PLAIN
  if (isPlain && typeof value === "string" && /^\p{L}[\p{L}\p{N} .!?]*$/u.test(value)) {
    const isWord = /^(?:true|false|null|y|n|yes|no|on|off)$/i.test(value)
    if (!isWord && value.trim() === value) return value
  }
  return quoted(value)
}

/** JSON that is YAML, too. */
function quoted(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

function spanOf(node: unknown): { from: number; to: number } {
  const [from = 0, to = 0] = (isNode(node) && node.range) || []
  return { from, to }
}

/** The end of a node, without the line break of a block of lines. */
function endOf(text: string, node: unknown): number {
  let { to } = spanOf(node)
  while (to > 0 && /[\r\n]/.test(text[to - 1] ?? "")) to--
  return to
}

function lineAfter(text: string, offset: number): number {
  const end = text.indexOf("\n", offset)
  return end < 0 ? text.length : end + 1
}

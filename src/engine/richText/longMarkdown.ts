/** Cuts long Markdown into pieces that are cheap to parse, and joins what comes of them. */
import type { RichText, RichTextNode } from "../schema/richText.ts"
import { childrenOf } from "./leavesOf.ts"

/** Some blocks, or part of one. */
export type Piece = {
  text: string
  /** The white space between the piece before and this one. */
  before: string
  /** Where it starts in the whole text. */
  start: number
  lines: number
  /** The piece is fenced code, whose first line is the fence. */
  isCode: boolean
}

// The time of the parser grows with the square of the marks.
const maxCharacters = 4_000
const maxLines = 100
const maxMarks = 40
/** Line breaks between two pieces that count. */
const maxGap = 100

const mark = /[\\`*_[\]<>&!]/g
const fence = /^(?:`{3,}(?=[^`]*$)|~{3,})/
/** What may go on with a list or a quote after a blank line. */
const isContinuing = /^(?:[-*+>]|\d{1,9}[.)])/

/**
 * The pieces of a text: cut where a block begins, and within a block that is too large where a line
 * begins, or a word.
 */
export function piecesOf(text: string): Piece[] {
  const cutter = new Cutter()
  let start = 0
  for (const line of text.split("\n")) {
    cutter.add(line, start)
    start += line.length + 1
  }
  return cutter.pieces
}

class Cutter {
  readonly pieces: Piece[] = []
  #open: Piece | undefined
  #marks = 0
  /** White space since the last line that is not blank. */
  #gap = ""
  #fence: string | undefined

  add(line: string, start: number): void {
    if (this.#fence !== undefined && this.#open) {
      this.#append(line)
      const isEnd = line.trimEnd().startsWith(this.#fence) && /^[`~]+$/.test(line.trimEnd())
      if (isEnd) this.#close()
      return
    }
    if (line.trim() === "") {
      this.#gap += "\n"
      return
    }
    const opened = fence.exec(line)?.[0]
    if (opened !== undefined || this.#beginsPiece(line)) this.#close()
    const parts = partsOf(line)
    for (const part of parts) {
      if (part.at > 0) this.#close(part.gap)
      if (this.#open) this.#append(part.text)
      else this.#begin(part.text, start + part.at, opened)
    }
  }

  #beginsPiece(line: string): boolean {
    if (!/^\S/.test(line)) return this.#isFull(2)
    const isNewBlock = this.#gap.length > 1 && !isContinuing.test(line)
    return isNewBlock || this.#isFull(1)
  }

  #isFull(times: number): boolean {
    const { text, lines } = this.#open ?? { text: "", lines: 0 }
    return (
      text.length > times * maxCharacters ||
      lines > times * maxLines ||
      this.#marks > times * maxMarks
    )
  }

  #begin(text: string, start: number, opened: string | undefined): void {
    const before = this.pieces.length === 0 ? "" : this.#gap
    this.#open = { text, before, start, lines: 1, isCode: opened !== undefined }
    this.pieces.push(this.#open)
    this.#fence = opened
    this.#marks = marksIn(text)
    this.#gap = "\n"
  }

  #append(text: string): void {
    if (!this.#open) return
    this.#open.text += (this.#fence === undefined ? this.#gap : "\n") + text
    this.#open.lines += this.#gap.length
    this.#marks += marksIn(text)
    this.#gap = "\n"
  }

  #close(gap = this.#gap): void {
    this.#open = undefined
    this.#fence = undefined
    this.#gap = gap
  }
}

function marksIn(text: string): number {
  return text.match(mark)?.length ?? 0
}

/** A line as one part, or cut between words when it is too long for a piece. */
function partsOf(line: string): { text: string; at: number; gap: string }[] {
  const parts = []
  let at = 0
  let gap = "\n"
  while (at < line.length) {
    const end = endOfPart(line, at)
    const space = end < line.length ? line.lastIndexOf(" ", end - 1) : -1
    const isBetweenWords = space > at
    const until = isBetweenWords ? space : end
    parts.push({ text: line.slice(at, until), at, gap })
    gap = isBetweenWords ? " " : ""
    at = isBetweenWords ? space + 1 : end
  }
  return parts
}

function endOfPart(line: string, at: number): number {
  const end = Math.min(line.length, at + maxCharacters)
  mark.lastIndex = at
  for (let count = 0; count <= maxMarks; count++) {
    const found = mark.exec(line)
    if (!found || found.index >= end) return end
    if (count === maxMarks) return found.index
  }
  return end
}

/** Adds the nodes of the next piece, and joins what was one block in the text. The nodes may change. */
export function joinPiece(nodes: RichText, next: RichText, before: string): void {
  const [first, ...others] = next
  const last = nodes.at(-1)
  const isCutBlock = !before.includes("\n\n")
  if (last && first && last.type === first.type && isJoined(last, isCutBlock)) {
    const isList = last.type !== "p" && last.type !== "blockquote"
    const between: RichText = isList || before === "" ? [] : [{ text: before }]
    for (const child of [...between, ...childrenOf(first)]) last.children?.push(child)
    nodes.push(...others)
    return
  }
  for (let blank = 2; blank <= Math.min(before.length, maxGap); blank++) {
    nodes.push({ type: "p", children: [{ text: "" }] })
  }
  nodes.push(...next)
}

function isJoined({ type }: RichTextNode, isCutBlock: boolean): boolean {
  return type === "ul" || type === "ol" || (isCutBlock && (type === "p" || type === "blockquote"))
}

/** Writes readable test files that round-trip. */
import { Document, isNode, isScalar, Scalar, visit } from "yaml"
import type { z } from "zod"
import type { testFileSchema } from "./testFileSchema.ts"

/** The values of a test file, written in the given order. */
export type WrittenTestFile = z.input<typeof testFileSchema>

/** Options of writing a file. */
type Writing = {
  /** Absent: as YAML. */
  isJson?: boolean
  /** A comment at the top; JSON has no comments. */
  head?: string | undefined
  /** Comments before steps and stubs, by their keys. */
  remarks?: readonly { path: readonly (string | number)[]; text: string }[] | undefined
}

export function writeTestFile(file: WrittenTestFile, writing: Writing = {}): string {
  const { isJson, head, remarks = [] } = writing
  if (isJson) return `${JSON.stringify(file, null, 2)}\n`
  const document = new Document(file, { aliasDuplicateObjects: false })
  visit(document, { Scalar: writeWhole })
  if (head !== undefined) document.commentBefore = commentOf(head)
  for (const { path, text } of remarks) {
    const node = document.getIn(path, true)
    if (isNode(node)) node.commentBefore = commentOf(text)
  }
  // Folded lines would not look like the bot's message.
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Infinity })
}

/** Keeps several lines, unless an editor would change them by removing trailing blanks. */
function writeWhole(key: unknown, scalar: Scalar): void {
  if (!isScalar<string>(scalar) || typeof scalar.value !== "string") return
  const isFragile = /[ \t](?:\n|$)|[\u2028\u2029\ufeff]/.test(scalar.value)
  if (scalar.value.includes("\n") && (key === "key" || isFragile)) scalar.type = Scalar.QUOTE_DOUBLE
}

/** Prefixes each line with `#`; removes characters that end the comment or control a terminal. */
function commentOf(text: string): string {
  return text
    .split(/\r\n?|[\n\u2028\u2029\u0085]/)
    .map((line) => ` ${line.replace(/\p{Cc}|\p{Cs}|\ufeff/gu, "")}`.trimEnd())
    .join("\n")
}

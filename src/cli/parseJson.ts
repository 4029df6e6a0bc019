/** Reads JSON, and says where a text stops being JSON. */
import type { Position } from "../workshop/files/readTestFile.ts"
import { offsetPosition } from "./position.ts"

/** A text that is no JSON, and where that shows. */
export class NoJson extends Error {
  readonly position: Position
  constructor(text: string, cause: unknown) {
    const offset = failureOffset(text)
    const position = offsetPosition(text, offset)
    const found = offset < text.length ? JSON.stringify(text.slice(offset, offset + 10)) : "the end"
    super(
      `The file is no JSON: line ${position.line}, column ${position.column}: ${found} is unexpected`,
      { cause },
    )
    this.name = "NoJson"
    this.position = position
  }
}

/** The value. Throws `NoJson`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new NoJson(text, error)
  }
}

const text = String.raw`"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`
const number = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])`
const token = new RegExp(
  String.raw`[ \t\r\n]*(?:(${text})|(${number}|(?:true|false|null)(?!\w))|([{}[\],:]))`,
  "y",
)

/** What may come next: a value, a key, what follows a value, or a colon; `first`: or the end of what was opened. */
type Expected = "value" | "first value" | "key" | "first key" | "after" | "colon"

/** Where the first character stands that no JSON has there (RFC 8259): engines do not always say it. */
function failureOffset(text: string): number {
  const open: ("{" | "[")[] = []
  let expected: Expected = "value"
  token.lastIndex = 0
  for (;;) {
    const start = token.lastIndex
    const [whole = "", string, scalar, sign] = token.exec(text) ?? []
    const at = whole === "" ? start + blanks(text, start) : start + blanks(whole, 0)
    const isValue = expected.endsWith("value")
    const inside = open.at(-1)
    if (whole === "" || (expected === "after" && inside === undefined)) return at
    if (string !== undefined && expected.endsWith("key")) expected = "colon"
    else if (isValue && (string ?? scalar) !== undefined) expected = "after"
    else if (isValue && (sign === "{" || sign === "[")) {
      open.push(sign)
      expected = sign === "{" ? "first key" : "first value"
    } else if (expected === "colon" && sign === ":") expected = "value"
    else if (expected === "after" && sign === ",") expected = inside === "{" ? "key" : "value"
    else if (
      (sign === "}" && inside === "{" && (expected === "after" || expected === "first key")) ||
      (sign === "]" && inside === "[" && (expected === "after" || expected === "first value"))
    ) {
      open.pop()
      expected = "after"
    } else return at
  }
}

function blanks(text: string, from: number): number {
  let at = from
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at++
  return at - from
}

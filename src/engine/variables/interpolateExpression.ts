/** Fills in the variables of an author's expression: visitor input stays one value in it. */
import { interpolateWith, type Scope } from "./interpolate.ts"
import { isVisitorInput } from "./interpolateUrl.ts"

/**
 * The expression with its tokens replaced. Visitor input becomes part of the surrounding text, the rest of a
 * name (`data.{{Field}}`), a number, or a text of its own, but never code. Other values stay unchanged.
 */
export function interpolateExpression(text: string | undefined, scope: Scope): string {
  let quote = ""
  let before = ""
  const note = (written: string): string => {
    quote = quoteAfter(quote, written)
    before = written
    return written
  }
  return interpolateWith(text, scope, {
    literal: note,
    value(printed, token) {
      if (!isVisitorInput(token, scope)) return note(printed)
      const isName =
        quote === "" && /[.\w$]$/.test(before) && /^[\p{ID_Continue}$]+$/u.test(printed)
      if (isName || number.test(printed)) before = printed
      else before = quote === "" ? `"${escaped(printed)}"` : escaped(printed)
      return before
    },
  })
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** The quotation mark open after another stretch; "": none. */
function quoteAfter(quote: string, text: string): string {
  let open = quote
  for (const [found] of text.matchAll(/\\.|["'`\n]/gs)) {
    if (found === "\n") open = open === "`" ? open : ""
    else if (found.length === 1) open = open === "" ? found : open === found ? "" : open
  }
  return open
}

/**
 * Escapes all but letters, digits, `_`, `-` and spaces, so that a value misplaced by a quotation mark in a
 * comment makes the expression fail instead of running as code.
 */
function escaped(input: string): string {
  return input.replaceAll(/[^\p{L}\p{N} _-]/gu, (each) =>
    each
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  )
}

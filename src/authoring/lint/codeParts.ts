/** Checks code without running it: whether it parses, and which unknown names it uses. */

import { keywords } from "../../engine/variables/identifier.ts"
import { isLanguageName } from "../../engine/variables/plainCode.ts"

/** Mode of code: inline code returns a value synchronously; a program may `await`. */
export type CodeMode = "expression" | "program"

// Only parses the code: the result is never called.
const Compiled = (() => {}).constructor as new (body: string) => unknown

const wrapped: Record<CodeMode, (code: string) => string> = {
  expression: (code) => code,
  program: (code) => `return async () => {${code}\n}`,
}

/** Max characters of code whose names are checked, and max places in it: each is parsed anew. */
const maxCodeLength = 20_000
const maxPlaces = 20

export function syntaxError(code: string, mode: CodeMode): string | undefined {
  try {
    new Compiled(wrapped[mode](code))
    return undefined
  } catch (error) {
    // A host may forbid compiling.
    return error instanceof SyntaxError ? error.message : undefined
  }
}

/**
 * Names that code reads and that are undefined in the language, `known` and the code itself. Relies on the
 * JavaScript engine to recognise names.
 */
export function unknownNames(code: string, mode: CodeMode, known: ReadonlySet<string>): string[] {
  // Skips code that may fail on purpose or make names of texts.
  if (code.length > maxCodeLength || /\b(?:try|eval|with|globalThis)\b/.test(code)) return []
  const places = new Map<string, number[]>()
  for (const { 0: name, index } of code.matchAll(word)) {
    const isMember = /(?:^|[^.])\.\s*$|#$/.test(code.slice(Math.max(0, index - 20), index))
    const isFlags = code[index - 1] === "/" && /^[dgimsuvy]+$/.test(name)
    if (isMember || isFlags || keywords.has(name) || isLanguageName(name) || known.has(name))
      continue
    places.set(name, [...(places.get(name) ?? []), index])
  }
  const all = [...places].filter(
    ([name]) => !new RegExp(`typeof[\\s(]+${escaped(name)}`).test(code),
  )
  if (all.reduce((sum, [, each]) => sum + each.length, 0) > maxPlaces) return []
  return all.flatMap(([name, each]) => (isRead(code, mode, { name, places: each }) ? name : []))
}

const word = /(?<![\p{ID_Continue}$\u200c\u200d])[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/gu

function escaped(name: string): string {
  return name.replaceAll("$", "\\$")
}

/** Whether a name is read and never declared. */
function isRead(
  code: string,
  mode: CodeMode,
  { name, places }: { name: string; places: readonly number[] },
): boolean {
  const replaced = (at: readonly number[], by: string) =>
    at.reduceRight(
      (text, index) => text.slice(0, index) + by + text.slice(index + name.length),
      code,
    )
  // Texts and comments may contain any sign; code may not contain this one.
  const inCode = places.filter((index) => syntaxError(replaced([index], "§"), mode) !== undefined)
  if (inCode.length === 0) return false
  // Parentheses are valid only around a value, not around a parameter, a declared name or a key.
  return syntaxError(replaced(inCode, "(this)"), mode) === undefined
}

/** Looks at code without running it: whether it can be read, and which names it uses that do not exist. */

import { keywords } from "../../engine/variables/identifier.ts"
import { isLanguageName } from "../../engine/variables/plainCode.ts"

/** How code is run: inline code returns a value at once; a program may wait. */
export type CodeMode = "expression" | "program"

// It only reads the code here: what it makes is never called.
const Compiled = (() => {}).constructor as new (body: string) => unknown

const wrapped: Record<CodeMode, (code: string) => string> = {
  expression: (code) => code,
  program: (code) => `return async () => {${code}\n}`,
}

/** Longest code whose names are looked at, and most places in it: each is read anew. */
const maxCodeLength = 20_000
const maxPlaces = 20

/** Why code cannot be read; undefined: it can. */
export function syntaxError(code: string, mode: CodeMode): string | undefined {
  try {
    new Compiled(wrapped[mode](code))
    return undefined
  } catch (error) {
    // A host may forbid to compile anything.
    return error instanceof SyntaxError ? error.message : undefined
  }
}

/**
 * Names that code reads and nothing gives: neither the language, nor `known`, nor the code itself. The engine of
 * JavaScript says what is a name there: what it does not take for one is none.
 */
export function unknownNames(code: string, mode: CodeMode, known: ReadonlySet<string>): string[] {
  // What may fail on purpose is left alone, and what may make names of texts.
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

/** Whether a name stands where values are read, and nowhere where one is made. */
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
  // In texts and comments any sign may stand; among code this one may not.
  const inCode = places.filter((index) => syntaxError(replaced([index], "§"), mode) !== undefined)
  if (inCode.length === 0) return false
  // Only a value may stand in parentheses: no parameter, no declared name, no key of an object.
  return syntaxError(replaced(inCode, "(this)"), mode) === undefined
}

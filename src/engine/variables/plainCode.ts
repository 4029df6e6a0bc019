/** Evaluates code without running it: literals, and texts that cannot be code. */
import { literalWords } from "./code.ts"
import { keywords } from "./identifier.ts"

/** The value of code that is one literal; undefined when it is anything else. */
export function literalOf(code: string): { value: unknown } | undefined {
  // With a `return ` inside, the text runs as statements instead of an expression.
  if (code.includes("return ")) return undefined
  const text = code.trim()
  if (literalWords.has(text)) return { value: literalWords.get(text) }
  if (decimal.test(text)) return { value: Number(text) }
  if (quoted.test(text)) return { value: text.slice(1, -1) }
  return jsonOf(text)
}

/**
 * Whether code, run with these globals besides those of the language, is certain to throw: it does not parse,
 * or begins by reading an unknown name.
 */
export function cannotRun(code: string, globals: object): boolean {
  return beginningSign.test(code) || beginsWithUnknownName(code, globals) || hasTwoWordsInARow(code)
}

// No leading zeros: `010` is eight.
const decimal = /^-?(?:0|[1-9]\d{0,200})(?:\.\d{1,200})?$/
const quoted = /^(?:"[^"\\\n\r]*"|'[^'\\\n\r]*')$/

function jsonOf(text: string): { value: unknown } | undefined {
  // `__proto__`, also spelt with escapes, sets a prototype in a literal and a member in JSON.
  if (!/^[[{]/.test(text) || text.includes("__proto__") || text.includes("\\u")) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** An emoji or a sign such as `€`: outside of ASCII, only letters and spaces are JavaScript. */
const beginningSign = /^[^\p{ASCII}\p{ID_Start}\s]/u

const name = /^([\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)\s*(.?)/su

function beginsWithUnknownName(code: string, globals: object): boolean {
  const [, first, after] = name.exec(code) ?? []
  if (first === undefined) return false
  // `in`, not `hasOwn`: inherited members of objects are names of the global object too.
  if (keywords.has(first) || languageNames.has(first) || first in globals) return false
  // `a = 1` and `a => 1` make a name, `a \u...` and `a /**/ = 1` may; so do declarations further on.
  return (
    after !== "=" && after !== "\\" && after !== "/" && !/\b(?:var|function|return)\b/.test(code)
  )
}

const wordsBeforeCode = /^[\p{ID_Continue}$\s,.:;!?()+*%&|@-]*/u
const word = /[\p{ID_Continue}$\u200c\u200d]+/gu

/** Two names or numbers side by side, neither of them a keyword, parse nowhere. */
function hasTwoWordsInARow(code: string): boolean {
  const start = wordsBeforeCode.exec(code)?.[0] ?? ""
  let before: RegExpExecArray | undefined
  for (const found of start.matchAll(word)) {
    const gap = before && start.slice(before.index + before[0].length, found.index)
    if (before && gap && /^[ \t]+$/.test(gap)) {
      if (!keywords.has(before[0]) && !keywords.has(found[0])) return true
    }
    before = found
  }
  return false
}

/** Whether a name may have a meaning in any environment. */
export function isLanguageName(text: string): boolean {
  return languageNames.has(text)
}

/** Names of the language (ECMAScript 2025, Annex B) and the sandbox. */
const languageNames: ReadonlySet<string> = new Set(
  (
    "AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator Atomics BigInt " +
    "BigInt64Array BigUint64Array Boolean DOMException DataView Date DisposableStack Error " +
    "EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity " +
    "Int16Array Int32Array Int8Array InternalError Intl Iterator JSON Map Math NaN Number Object " +
    "Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String " +
    "SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array " +
    "Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly arguments atob btoa console " +
    "decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval fetch gc globalThis " +
    "isFinite isNaN navigator parseFloat parseInt performance print queueMicrotask scriptArgs " +
    "setVariable std os structuredClone undefined unescape"
  ).split(" "),
)

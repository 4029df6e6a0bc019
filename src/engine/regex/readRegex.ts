/** Compiles an author's regular expression into an automaton that runs in linear time. */
import { LRUCache } from "lru-cache"
import { type Fuel, spend } from "../budget/fuel.ts"
import {
  type Automaton,
  type CharacterTest,
  compilePattern,
  countStates,
} from "./compilePattern.ts"
import { parsePattern } from "./parsePattern.ts"

/** A compiled regular expression. */
export type Regex = Automaton & {
  /** Whether characters are code points; else they are UTF-16 units. */
  isUnicode: boolean
  /** Whether `^` and `$` hold at line ends too. */
  isMultiline: boolean
  /** Whether a match must begin where the text begins. */
  isSticky: boolean
  isWordCharacter: CharacterTest
}

/** Max characters of the source. */
const maxLength = 5_000
/** Max states of one automaton; repeated counted groups multiply them. */
const maxStates = 5_000

/** The cost of compiling a state: counted repetitions make thousands of them from a few characters. */
const stateUnits = 10

/** Characters beyond ASCII whose answer is kept per class. */
const maxKnownCharacters = 128

/** Max memory of a state, and of a class with all its answers. */
const bytes = { ofState: 200, ofClass: 6_000 } as const

type Compiled = { regex: Regex | undefined; bytes: number }

/** Recent patterns, each compiled once; undefined: refused. */
const known = new LRUCache<string, Compiled>({
  maxSize: 16_000_000,
  sizeCalculation: (compiled, source) => compiled.bytes + 2 * source.length,
  memoMethod: compileRegex,
})

/**
 * The regular expression of `/pattern/flags` (flags g, i, m, u, y) or of a bare pattern; undefined when it is
 * malformed, too large, nested too deeply or uses back references, which a finite automaton cannot match.
 * Cached patterns cost the same as new ones.
 */
export function readRegex(written: string, fuel: Fuel): Regex | undefined {
  if (written.length > maxLength) return undefined
  // V8 looks up Unicode sets for each property, and the cases of each character.
  const isCostly = /\/[gmy]*[iu][gimuy]*$/.test(written)
  spend(fuel, written.length * (isCostly ? 64 : 10))
  const { regex } = known.memo(written)
  spend(fuel, stateUnits * (regex?.states.length ?? 0))
  return regex
}

const refused: Compiled = { regex: undefined, bytes: bytes.ofState }

function compileRegex(written: string): Compiled {
  const delimited = /^\/(.+)\/([gimuy]*)$/s.exec(written)
  const source = delimited?.[1] ?? written
  const flags = delimited?.[2] ?? ""
  if (!isValid(source, flags)) return refused
  const isUnicode = flags.includes("u")
  const pattern = parsePattern(source, isUnicode)
  if (!pattern || countStates(pattern) > maxStates) return refused
  const classes = new Map<string, CharacterTest>()
  const testOf = (character: string) => {
    if (isLiteral(character, flags)) return literalTest(character)
    const test = classes.get(character) ?? classTest(character, flags)
    classes.set(character, test)
    return test
  }
  const automaton = compilePattern(pattern, testOf)
  const regex = {
    ...automaton,
    isUnicode,
    isMultiline: flags.includes("m"),
    isSticky: flags.includes("y"),
    isWordCharacter: testOf("\\w"),
  }
  const { length } = automaton.states
  return { regex, bytes: length * bytes.ofState + classes.size * bytes.ofClass }
}

function isValid(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}

/** Whether a character stands for itself alone, as most do. */
function isLiteral(character: string, flags: string): boolean {
  return !flags.includes("i") && /^[^\\[.]$/u.test(character)
}

function literalTest(character: string): CharacterTest {
  const wanted = character.codePointAt(0)
  return (code) => code === wanted
}

/** Tests single characters with JavaScript itself, so that classes and case keep their meaning. */
function classTest(source: string, flags: string): CharacterTest {
  const regex = new RegExp(`^(?:${source})$`, flags.replace(/[^iu]/g, ""))
  const isFitting = (code: number) => regex.test(String.fromCodePoint(code))
  const ascii: (boolean | undefined)[] = Array(128).fill(undefined)
  const others = new Map<number, boolean>()
  return (code) => {
    if (code < ascii.length) {
      ascii[code] ??= isFitting(code)
      return ascii[code]
    }
    const fits = others.get(code) ?? isFitting(code)
    if (others.size >= maxKnownCharacters) others.clear()
    others.set(code, fits)
    return fits
  }
}

/** Decides whether a regular expression can match any text at all. */
import type { State } from "./compilePattern.ts"
import type { Regex } from "./readRegex.ts"

/** Kinds of neighbours of a place in a text. */
type Side = "edge" | "line end" | "word" | "other"

const sides: readonly Side[] = ["edge", "line end", "word", "other"]

/** Characters to try classes with: some of each kind, script and plane. */
const characters = Array.from(
  `${String.fromCharCode(...Array.from({ length: 128 }, (_, code) => code))}\u00a0\u2028éßñøŁЖΩאع中あ한ก٣½€\ufeff\u0301😀`,
  (character) => character.codePointAt(0) ?? 0,
).flatMap((code) => (code > 0xffff ? [code, 0xd83d, 0xde00] : [code]))

/** Max classes tried with all characters. */
const maxEmpty = 5

/**
 * Whether some text matches: false only if none can, as with `a^` or `[]`. Look-arounds are assumed to hold.
 * `source` provides further characters to try classes with.
 */
export function canMatch(regex: Regex, source: string): boolean {
  const codes = [
    ...new Set([...characters, ...Array.from(source, (one) => one.codePointAt(0) ?? 0)]),
  ]
  const sideOf = (code: number): Side => {
    if (regex.isMultiline && [0x0a, 0x0d, 0x2028, 0x2029].includes(code)) return "line end"
    return regex.isWordCharacter(code) ? "word" : "other"
  }
  // A state with its neighbours: the rest of the search depends on nothing else.
  const seen = new Set<string>()
  const pending: { index: number; before: Side; after: Side }[] = []
  const go = (index: number, before: Side, after: Side) => {
    const key = `${index} ${before} ${after}`
    if (!seen.has(key)) pending.push({ index, before, after })
    seen.add(key)
  }
  for (const before of regex.isSticky ? (["edge"] as const) : sides) {
    for (const after of sides) go(regex.entry, before, after)
  }
  let empty = 0
  const steps = new Map<State, readonly Side[]>()
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { index, before, after } = next
    const state = regex.states[index]
    if (state?.kind === "found") return true
    if (state?.kind === "fork") for (const to of state.next) go(to, before, after)
    if (state?.kind === "look") go(state.next, before, after)
    if (state?.kind === "position" && isAt(state.at, before, after)) go(state.next, before, after)
    if (state?.kind !== "character") continue
    let passed = steps.get(state)
    if (!passed) {
      passed = [...new Set(codes.filter((code) => state.fits(code)).map(sideOf))]
      if (passed.length === 0 && (empty++ >= maxEmpty || !isEmpty(state, regex))) return true
      steps.set(state, passed)
    }
    if (passed.includes(after)) for (const side of sides) go(state.next, after, side)
  }
  return false
}

/** Whether a class without any usual character is empty; false when checking takes too long. */
function isEmpty({ fits }: State & { kind: "character" }, { isUnicode }: Regex): boolean {
  if (isUnicode) return false
  for (let code = 0; code < 0x10000; code++) if (fits(code)) return false
  return true
}

function isAt(at: (State & { kind: "position" })["at"], before: Side, after: Side): boolean {
  if (at === "start") return before === "edge" || before === "line end"
  if (at === "end") return after === "edge" || after === "line end"
  return ((before === "word") !== (after === "word")) === (at === "wordEdge")
}

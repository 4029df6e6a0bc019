/** Runs an automaton over a text: all paths at once, so that no pattern can make it backtrack. */
import { type Fuel, readingUnits, spend } from "../budget/fuel.ts"
import type { State } from "./compilePattern.ts"
import type { Regex } from "./readRegex.ts"

/** States visited between two checks of the budget, and their cost. */
const visitsAtOnce = 256
const unitsAtOnce = 128

/**
 * Whether the regular expression matches somewhere in the text, like `RegExp.prototype.test`. The work is
 * proportional to text times states, and charged as it runs.
 */
export function findsMatch(regex: Regex, text: string, fuel: Fuel): boolean {
  spend(fuel, readingUnits(text.length))
  const codes = codesOf(text, regex.isUnicode)
  const scan: Scan = { regex, codes, looks: [], visits: 0, fuel }
  for (const look of regex.looks) {
    const places = new Uint8Array(scan.codes.length + 1)
    run(scan, { ...look, isAnchored: false }, (place) => {
      places[place] = 1
      return false
    })
    scan.looks.push(places)
  }
  let isFound = false
  run(scan, { entry: regex.entry, isBackward: false, isAnchored: regex.isSticky }, () => {
    isFound = true
    return true
  })
  return isFound
}

type Scan = {
  regex: Regex
  codes: number[]
  /** For each look-around, the places in the text where it holds. */
  looks: Uint8Array[]
  visits: number
  fuel: Fuel
}

function codesOf(text: string, isUnicode: boolean): number[] {
  const codes: number[] = []
  for (let at = 0; at < text.length; at++) {
    const code = isUnicode ? (text.codePointAt(at) ?? 0) : text.charCodeAt(at)
    if (code > 0xffff) at++
    codes.push(code)
  }
  return codes
}

/** The entry state, the direction, and whether a match may begin only at that end of the text. */
type Start = { entry: number; isBackward: boolean; isAnchored: boolean }

/** Walks the text from one end to the other and reports each place where a match is complete. */
function run(scan: Scan, start: Start, isEnough: (place: number) => boolean): void {
  const { regex, codes } = scan
  const seenAt = new Int32Array(regex.states.length).fill(-1)
  let pending: number[] = []
  let next: number[] = []
  for (let step = 0; step <= codes.length; step++) {
    const place = start.isBackward ? codes.length - step : step
    if (step === 0 || !start.isAnchored) pending.push(start.entry)
    const code = codes[start.isBackward ? place - 1 : place]
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (seenAt[index] === step) continue
      seenAt[index] = step
      if (++scan.visits % visitsAtOnce === 0) spend(scan.fuel, unitsAtOnce)
      const state = regex.states[index]
      if (state?.kind === "found" && isEnough(place)) return
      if (state?.kind === "character") {
        if (code !== undefined && state.fits(code)) next.push(state.next)
      } else if (state) {
        follow(scan, state, place, pending)
      }
    }
    ;[pending, next] = [next, pending]
  }
}

function follow(scan: Scan, state: State, place: number, pending: number[]): void {
  if (state.kind === "fork") for (const index of state.next) pending.push(index)
  if (state.kind === "position" && isAt(scan, state.at, place)) pending.push(state.next)
  if (state.kind === "look") {
    const isHeld = scan.looks[state.look]?.[place] === 1
    if (isHeld !== state.isNegated) pending.push(state.next)
  }
}

function isAt(scan: Scan, at: (State & { kind: "position" })["at"], place: number): boolean {
  const before = scan.codes[place - 1]
  const after = scan.codes[place]
  if (at === "start") return before === undefined || isLineEnd(scan, before)
  if (at === "end") return after === undefined || isLineEnd(scan, after)
  return (isWord(scan, before) !== isWord(scan, after)) === (at === "wordEdge")
}

function isLineEnd(scan: Scan, code: number): boolean {
  return scan.regex.isMultiline && [0x0a, 0x0d, 0x2028, 0x2029].includes(code)
}

function isWord(scan: Scan, code: number | undefined): boolean {
  return code !== undefined && scan.regex.isWordCharacter(code)
}

/** Turns the tree of a pattern into the states of an automaton. */
import type { Pattern } from "./parsePattern.ts"

/** Whether a character, by its code, fits. */
export type CharacterTest = (code: number) => boolean

/** One state; `next` are indices of states. */
export type State =
  | { kind: "character"; fits: CharacterTest; next: number }
  | { kind: "fork"; next: number[] }
  | { kind: "position"; at: "start" | "end" | "wordEdge" | "insideWord"; next: number }
  /** Continues where the look-around of that index holds, or fails if negated. */
  | { kind: "look"; look: number; isNegated: boolean; next: number }
  | { kind: "found" }

/** The states of a pattern, and the entry of matching. */
export type Automaton = {
  states: State[]
  entry: number
  /** Look-arounds, inner before outer; those that look ahead are read from right to left. */
  looks: { entry: number; isBackward: boolean }[]
}

type Build = {
  states: State[]
  looks: Automaton["looks"]
  lookOf: Map<Pattern, number>
  testOf: (source: string) => CharacterTest
}

/** Number of states that a pattern would need; counted repetitions multiply. */
export function countStates(pattern: Pattern): number {
  switch (pattern.kind) {
    case "character":
    case "position":
      return 1
    case "sequence":
      return pattern.parts.reduce((sum, part) => sum + countStates(part), 0)
    case "either":
      return pattern.options.reduce((sum, option) => sum + countStates(option), 1)
    case "repeat":
      return (1 + countStates(pattern.body)) * Math.max(...turns(pattern.min, pattern.max))
    case "look":
      return 2 + countStates(pattern.body)
  }
}

/** Compiles a pattern; `testOf` gives the test for the source of a character. */
export function compilePattern(pattern: Pattern, testOf: Build["testOf"]): Automaton {
  const build: Build = { states: [{ kind: "found" }], looks: [], lookOf: new Map(), testOf }
  const entry = compile(build, pattern, { next: found, isBackward: false })
  return { states: build.states, looks: build.looks, entry }
}

/** Index of the state that means success. */
const found = 0

/** The state after a pattern, and the direction of reading. */
type Direction = { next: number; isBackward: boolean }

function compile(build: Build, pattern: Pattern, way: Direction): number {
  switch (pattern.kind) {
    case "character":
      return add(build, {
        kind: "character",
        fits: build.testOf(pattern.source),
        next: way.next,
      })
    case "position":
      return add(build, { kind: "position", at: pattern.at, next: way.next })
    case "sequence": {
      const lastFirst = way.isBackward ? pattern.parts : pattern.parts.toReversed()
      return lastFirst.reduce((next, part) => compile(build, part, { ...way, next }), way.next)
    }
    case "either":
      return add(build, {
        kind: "fork",
        next: pattern.options.map((option) => compile(build, option, way)),
      })
    case "repeat":
      return compileRepeat(build, pattern, way)
    case "look": {
      const look = build.lookOf.get(pattern) ?? compileLook(build, pattern)
      return add(build, { kind: "look", look, isNegated: pattern.isNegated, next: way.next })
    }
  }
}

function compileRepeat(build: Build, pattern: Pattern & { kind: "repeat" }, way: Direction) {
  const { body, min, max } = pattern
  const [required, optional] = turns(min, max)
  let next = way.next
  if (max === Infinity) {
    const ways = [way.next]
    next = add(build, { kind: "fork", next: ways })
    ways.push(compile(build, body, { ...way, next }))
  } else {
    for (let turn = required; turn < optional; turn++) {
      next = add(build, { kind: "fork", next: [way.next, compile(build, body, { ...way, next })] })
    }
  }
  for (let turn = 0; turn < required; turn++) next = compile(build, body, { ...way, next })
  return next
}

function turns(min: number, max: number): [required: number, all: number] {
  return [min, max === Infinity ? min + 1 : max]
}

function compileLook(build: Build, pattern: Pattern & { kind: "look" }): number {
  const isBackward = pattern.isAhead
  const entry = compile(build, pattern.body, { next: found, isBackward })
  const look = build.looks.push({ entry, isBackward }) - 1
  build.lookOf.set(pattern, look)
  return look
}

function add(build: Build, state: State): number {
  return build.states.push(state) - 1
}

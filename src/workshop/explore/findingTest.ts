/** Writes a walk as a test that fails until the fault is fixed. */
import { groupBy } from "../../lib/groupBy.ts"
import type { CallStub, HttpStub, TestFile } from "../files/testFileSchema.ts"
import type { Move, Walked } from "./walks.ts"

type Shown = {
  name: string
  moves: readonly Move[]
  walked: Walked
  expect?: TestFile["expect"]
}

/** The test of a walk, without the file of its bot. */
export function findingTest({ name, moves, walked, expect }: Shown): Omit<TestFile, "bot"> {
  const variables = moves[0]?.variables
  const drawn = walked.strides.map((stride) => stride.drawn)
  const dice = drawn.flatMap((each) => each.dice)
  const http = ordered(drawn.flatMap((each) => each.http))
  const kinds = groupBy(
    drawn.flatMap((each) => each.calls),
    ({ call }) => call,
  )
  const calls = [...kinds.values()].flatMap(ordered)
  return {
    name,
    strict: false,
    ...(variables && { start: { variables } }),
    ...(dice.length > 0 && { dice }),
    ...(http.length > 0 && { http }),
    ...(calls.length > 0 && { calls }),
    conversation: moves.flatMap(({ step }) => step ?? []),
    ...(expect && { expect }),
  }
}

/** The answers in order; the last one also serves further calls of a fixed bot. */
function ordered<S extends HttpStub | CallStub>(stubs: readonly S[]): S[] {
  const isLast = (stub: S, at: number) =>
    stubs.slice(at + 1).every((other) => JSON.stringify(other) === JSON.stringify(stub))
  const kept = stubs.findIndex(isLast)
  return stubs.slice(0, kept + 1).map((stub, at) => (at === kept ? stub : { ...stub, times: 1 }))
}

/** A walk is shrunk to the moves that show its fault. */
import { expect, it } from "vitest"
import { shrink } from "./shrink.ts"
import type { Move } from "./walks.ts"

const say = (user: string, plan: number[] = []): Move => ({ step: { user }, plan })

/** Shrinks a walk whose fault shows while `shows` returns true; counts the tries. */
async function shrunk(moves: Move[], shows: (texts: string[], moves: readonly Move[]) => boolean) {
  let tried = 0
  const result = await shrink({
    moves: [{ plan: [] }, ...moves],
    tries: 200,
    show: async (fewer) => {
      tried += 1
      const texts = fewer.flatMap(({ step }) => (step?.user === undefined ? [] : String(step.user)))
      return shows(texts, fewer) ? { strides: [], faults: [] } : undefined
    },
  })
  return { moves: result?.moves.slice(1), tried }
}

it("loses irrelevant moves at every position", async () => {
  const moves = Array.from({ length: 60 }, (_, index) => say(`reply ${index}`))
  const { moves: left, tried } = await shrunk(
    moves,
    (texts) => texts.includes("reply 7") && texts.includes("reply 51"),
  )
  expect(left).toEqual([say("reply 7"), say("reply 51")])
  expect(tried).toBeLessThan(100)
})

it("takes the usual chances if others do not matter", async () => {
  const isNeeded = (_: string[], [, move]: readonly Move[]) => move?.plan[1] === 2
  const { moves } = await shrunk([say("a", [1, 2, 3])], isNeeded)
  expect(moves).toEqual([say("a", [0, 2, 0])])
  expect((await shrunk([say("a", [1])], () => true)).moves).toEqual([])
})

it("shortens long replies", async () => {
  const long = `${"a".repeat(1_000)}<b>${"c".repeat(3_000)}`
  const { moves } = await shrunk([say(long)], ([text]) => text?.includes("<b>") === true)
  expect(String(moves?.[0]?.step?.user).length).toBeLessThan(20)
})

it("gives up a walk without the fault, and stops after a number of tries", async () => {
  expect(await shrunk([say("a")], () => false)).toEqual({ moves: undefined, tried: 1 })
  const moves = Array.from({ length: 1_000 }, (_, index) => say(`reply ${index}`))
  const isWhole = (texts: string[]) => texts.length === 1_000
  expect((await shrunk(moves, isWhole)).tried).toBe(201)
})

/** A turn for which nobody waits ends as long as it did nothing outside, and is finished after that. */
import { expect, test, vi } from "vitest"
import type { Turn } from "../engine/run.ts"
import { runTurn, type TurnShell } from "./runTurn.ts"

// This turn asks the same again and again.
vi.mock("../engine/turn.ts", () => ({ resume: (_stage: unknown, turn: Turn) => turn }))

const asking = { call: { kind: "http" }, session: { step: 0 } } as unknown as Turn

function shellOf(hasLeft: () => boolean) {
  const done: string[] = []
  const shell = {
    effects: {
      isOutside: () => true,
      perform: async () => {
        done.push("performed")
        if (done.length > 2) throw new Error("The end of this test")
        return {}
      },
    },
    bots: new Map(),
    limits: {},
    context: {},
    deadline: performance.now() + 60_000,
    claim: {
      hold: async () => {
        done.push("held")
        return true
      },
    },
    hasLeft,
  } as unknown as TurnShell
  return { shell, done }
}

test("before its first outside effect it ends, and claims nothing", async () => {
  const { shell, done } = shellOf(() => true)
  await expect(runTurn(shell, () => asking)).rejects.toMatchObject({
    code: "CLIENT_CLOSED_REQUEST",
  })
  expect(done).toEqual([])
})

test("once it is claimed it goes on, whoever leaves", async () => {
  let hasLeft = false
  const { shell, done } = shellOf(() => hasLeft)
  const { hold } = shell.claim
  shell.claim = {
    hold: () => {
      hasLeft = true
      return hold()
    },
  }
  await expect(runTurn(shell, () => asking)).rejects.toThrow("The end of this test")
  expect(done).toEqual(["held", "performed", "held", "performed"])
})

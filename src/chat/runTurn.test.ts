/** A turn without a caller ends while it has done nothing outside, and is finished after that. */
import { setImmediate as nextRound } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { block, bot, group } from "../../test/support/bots.ts"
import { talk } from "../../test/support/talk.ts"
import { stageOf } from "../../test/support/talkStage.ts"
import type { CallContext } from "../effects/perform.ts"
import { spend } from "../engine/budget/fuel.ts"
import { withinBudget } from "../engine/turn/budget.ts"
import { closeRun, type EngineDeps, openRun } from "../engine/turn/run.ts"
import { openFairQueue } from "../lib/fairQueue.ts"
import { userParty } from "../lib/party.ts"
import { runTurn, type TurnDeps } from "./takeTurn.ts"

const request = () => block("Webhook", { webhook: { url: "http://upstream.test" } })
const flow = bot(group("A", request(), request(), request(), request()))
/** A turn that stands at the first of its requests. */
const asking = talk(flow).turn
const { bots } = stageOf(flow, {})

function depsOf(hasLeft: () => boolean) {
  const done: string[] = []
  const contexts: CallContext[] = []
  const warned: string[] = []
  const effects = {
    isOutside: () => true,
    perform: async (_call: unknown, context: CallContext) => {
      done.push("performed")
      contexts.push(context)
      if (done.length > 2) throw new Error("The end of this test")
      return { failed: true, description: "Nobody is there" }
    },
  }
  const deps = {
    chat: {
      effects,
      longRuns: openFairQueue("longRuns", { maxWaiting: 9, maxWaitMs: 60_000 }),
      log: { warn: (_facts: object, message: string) => warned.push(message) },
    },
    loaded: { session: asking.session, bots, owner: { party: userParty("author") } },
    deadline: performance.now() + 60_000,
    calls: [],
    claiming: {
      open: () => ({
        ensure: async () => {
          done.push("claimed")
          return true
        },
      }),
    },
    hasLeft,
  } as unknown as TurnDeps
  return { deps, done, contexts, warned }
}

test("before its first outside effect it ends, and claims nothing", async () => {
  const { deps, done } = depsOf(() => true)
  await expect(runTurn(deps, () => asking)).rejects.toMatchObject({
    code: "CLIENT_CLOSED_REQUEST",
  })
  expect(done).toEqual([])
})

test("once it is claimed it goes on when callers leave", async () => {
  let hasLeft = false
  const { deps, done } = depsOf(() => hasLeft)
  const { open } = deps.claiming
  deps.claiming.open = () => {
    hasLeft = true
    return open()
  }
  await expect(runTurn(deps, () => asking)).rejects.toThrow("The end of this test")
  expect(done).toEqual(["claimed", "performed", "claimed", "performed"])
})

test("the calls of a turn share the key of the turn, and nothing else", async () => {
  const turnAt = async (step: number) => {
    const { deps, contexts } = depsOf(() => false)
    const turn = { ...asking, session: { ...asking.session, step } }
    await expect(runTurn(deps, () => turn)).rejects.toThrow("The end of this test")
    return contexts
  }
  const [[first, second], [other]] = [await turnAt(0), await turnAt(1)]
  expect(second?.turnKey).toBe(first?.turnKey)
  expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey)
  expect(other?.turnKey).not.toBe(first?.turnKey)
})

describe("a run of the engine", () => {
  const spending = (units: number) => (engine: EngineDeps) => {
    const run = openRun(engine, asking.session)
    return withinBudget(run, () => {
      spend(run.fuel, units)
      return closeRun(run)
    })
  }

  test("waits for no other turn when it needs little", async () => {
    const { deps } = depsOf(() => false)
    void deps.chat.longRuns.run(userParty("other"), () => new Promise(() => {}))
    const turn = await runTurn(deps, spending(19_000))
    expect(turn).toMatchObject({ continuation: { spent: 19_000 } })
  })

  test("that needs more has the whole budget, in the turn of its owner", async () => {
    const { deps } = depsOf(() => false)
    const order: string[] = []
    const other = deps.chat.longRuns.run(userParty("other"), async () => {
      await nextRound()
      order.push("other")
    })
    const turn = runTurn(deps, (engine) => {
      const done = spending(400_000)(engine)
      order.push("long")
      return done
    })
    expect(await turn).toMatchObject({ continuation: { spent: 400_000 } })
    await other
    expect(order).toEqual(["other", "long"])
  })

  test("that needs more than the whole budget is refused, and its author told", async () => {
    const { deps, warned } = depsOf(() => false)
    await expect(runTurn(deps, spending(600_000))).rejects.toMatchObject({
      reason: "FLOW_TOO_EXPENSIVE",
    })
    expect(warned).toEqual([expect.stringContaining("more work than one call may take")])
  })

  test("is dropped when its caller leaves while it waits", async () => {
    const { deps } = depsOf(() => true)
    await expect(runTurn(deps, spending(400_000))).rejects.toMatchObject({
      code: "CLIENT_CLOSED_REQUEST",
    })
  })
})

/** A turn for which nobody waits ends as long as it did nothing outside, and is finished after that. */
import { expect, test } from "vitest"
import { block, bot, group } from "../../test/support/bots.ts"
import { talk } from "../../test/support/talk.ts"
import { stageOf } from "../../test/support/talkStage.ts"
import type { CallContext } from "../effects/perform.ts"
import type { Turn } from "../engine/turn/run.ts"
import { openEngineQueue } from "./queues.ts"
import { runTurn, type TurnDeps } from "./runTurn.ts"

const request = () => block("Webhook", { webhook: { url: "http://upstream.test" } })
const flow = bot(group("A", request(), request(), request(), request()))
/** A turn that stands at the first of its requests. */
const asking = talk(flow).turn
const { bots } = stageOf(flow, {})

function depsOf(hasLeft: () => boolean) {
  const done: string[] = []
  const contexts: CallContext[] = []
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
    chat: { effects, engineQueue: openEngineQueue() },
    loaded: { session: asking.session, bots, owner: {} },
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
  return { deps, done, contexts }
}

test("before its first outside effect it ends, and claims nothing", async () => {
  const { deps, done } = depsOf(() => true)
  await expect(runTurn(deps, () => asking)).rejects.toMatchObject({
    code: "CLIENT_CLOSED_REQUEST",
  })
  expect(done).toEqual([])
})

test("once it is claimed it goes on, whoever leaves", async () => {
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

test.each([
  ["computed for long: its owner waits for everybody else", 200_000, true],
  ["was slow though it did little, as while memory is collected: nobody waits", 2_000, false],
])("a turn that %s", async (_name, spent, isWaiting) => {
  const { deps } = depsOf(() => false)
  deps.loaded.owner.botId = "bot"
  const slowly = () => {
    for (const start = performance.now(); performance.now() < start + 15; );
    return { session: {}, continuation: { spent } } as unknown as Turn
  }
  await runTurn(deps, slowly)
  expect(deps.chat.engineQueue.wait("bot") instanceof Promise).toBe(isWaiting)
})

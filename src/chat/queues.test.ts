/** Turns wait for those of their session, and long runs of the engine for everybody. */
import { setImmediate as nextRound } from "node:timers/promises"
import { expect, test } from "vitest"
import { type EngineClock, openEngineQueue, openTurnQueue } from "./queues.ts"

test("turns of one session run one after the other in the order they came, failed ones too", async () => {
  const queue = openTurnQueue()
  const seen: string[] = []
  const turn = (name: string, rounds: number) => async () => {
    seen.push(`${name} begins`)
    for (let round = 0; round < rounds; round++) await nextRound()
    seen.push(`${name} ends`)
    if (name === "b") throw new Error(name)
    return name
  }
  const all = [
    queue.run("s", turn("a", 20)),
    queue.run("s", turn("b", 5)),
    queue.run("s", turn("c", 0)),
  ]
  const outcomes = await Promise.allSettled(all)
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"])
  expect(queue.size()).toBe(0)
})

test("turns of other sessions do not wait", async () => {
  const queue = openTurnQueue()
  let finish = () => {}
  const slow = queue.run("s", () => new Promise<void>((resolve) => (finish = resolve)))
  await queue.run("t", async () => {})
  expect(queue.size()).toBe(1)
  finish()
  await slow
})

test("a session that too many turns wait for takes no more until some are done", async () => {
  const queue = openTurnQueue(2)
  const waiting = [1, 2, 3].map(() => queue.run("s", () => nextRound()))
  await expect(queue.run("s", () => nextRound())).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
    retryAfterSeconds: 1,
  })
  await Promise.all(waiting)
  await expect(queue.run("s", async () => "served")).resolves.toBe("served")
})

test("a turn whose caller leaves while it waits is dropped, one that runs is finished", async () => {
  const queue = openTurnQueue()
  const seen: string[] = []
  let hasLeft = false
  const turn = (name: string) => async () => {
    await nextRound()
    seen.push(name)
  }
  const running = queue.run("s", turn("running"), () => hasLeft)
  const dropped = queue.run("s", turn("dropped"), () => hasLeft)
  const waiting = queue.run("s", turn("waiting"))
  hasLeft = true
  await expect(dropped).rejects.toMatchObject({ code: "CLIENT_CLOSED_REQUEST" })
  await Promise.all([running, waiting])
  expect(seen).toEqual(["running", "waiting"])
  expect(queue.size()).toBe(0)
})

function openEngine() {
  let now = 0
  const due: { at: number; act: () => void }[] = []
  const clock: EngineClock = {
    now: () => now,
    after: (ms, act) => void due.push({ at: now + ms, act }),
  }
  const queue = openEngineQueue(clock)
  const order: string[] = []
  /** A run that begins now or once it may. */
  const run = (owner: string, ms: number) => {
    const compute = () => {
      order.push(`${owner} at ${now}`)
      now += ms
      queue.took(owner, ms)
    }
    const waits = queue.wait(owner)
    if (waits) void waits.then(compute)
    else compute()
  }
  const pass = async () => {
    while (due.length > 0) {
      due.sort((a, b) => a.at - b.at)
      const next = due.shift()
      now = Math.max(now, next?.at ?? 0)
      next?.act()
      await Promise.resolve()
    }
  }
  return { queue, order, run, pass }
}

test("a long run is followed by a rest as long, which others need not wait for", async () => {
  const { order, run, pass } = openEngine()
  run("slow", 100)
  run("slow", 100)
  run("quick", 1)
  await pass()
  expect(order).toEqual(["slow at 0", "quick at 100", "slow at 200"])
})

test("owners of long runs take turns, however many of them one has", async () => {
  const { order, run, pass } = openEngine()
  run("a", 100)
  run("b", 100)
  for (const owner of ["a", "a", "b"]) run(owner, 50)
  await pass()
  expect(order.map((each) => each[0])).toEqual(["a", "b", "a", "b", "a"])
})

test("nobody waits for runs of ordinary length", () => {
  const { queue, run } = openEngine()
  for (let times = 0; times < 50; times++) run("a", 9)
  expect(queue.wait("a")).toBeUndefined()
})

test("an owner without long runs for a while is one like any other", async () => {
  const { queue, run, pass } = openEngine()
  run("a", 100)
  expect(queue.wait("a")).toBeInstanceOf(Promise)
  await pass()
  run("b", 11_000)
  expect(queue.wait("a")).toBeUndefined()
})

test("too many who wait are refused with 503", () => {
  const { queue, run } = openEngine()
  run("a", 100)
  for (let times = 0; times < 100; times++) expect(queue.wait("a")).toBeInstanceOf(Promise)
  expect(() => queue.wait("a")).toThrow("Too many long turns are waiting")
  expect(queue.wait("b")).toBeUndefined()
})

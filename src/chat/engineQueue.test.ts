/** Long runs of the engine and who waits for them, on a clock of our own. */
import { expect, test } from "vitest"
import { type EngineClock, openEngineQueue } from "./engineQueue.ts"

function open() {
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
  const { order, run, pass } = open()
  run("slow", 100)
  run("slow", 100)
  run("quick", 1)
  await pass()
  expect(order).toEqual(["slow at 0", "quick at 100", "slow at 200"])
})

test("owners of long runs take turns, however many of them one has", async () => {
  const { order, run, pass } = open()
  run("a", 100)
  run("b", 100)
  for (const owner of ["a", "a", "b"]) run(owner, 50)
  await pass()
  expect(order.map((each) => each[0])).toEqual(["a", "b", "a", "b", "a"])
})

test("nobody waits for runs of ordinary length", () => {
  const { queue, run } = open()
  for (let times = 0; times < 50; times++) run("a", 9)
  expect(queue.wait("a")).toBeUndefined()
})

test("an owner without long runs for a while is one like any other", async () => {
  const { queue, run, pass } = open()
  run("a", 100)
  expect(queue.wait("a")).toBeInstanceOf(Promise)
  await pass()
  run("b", 11_000)
  expect(queue.wait("a")).toBeUndefined()
})

test("too many who wait are refused with 503", () => {
  const { queue, run } = open()
  run("a", 100)
  for (let times = 0; times < 100; times++) expect(queue.wait("a")).toBeInstanceOf(Promise)
  expect(() => queue.wait("a")).toThrow("Too many long turns are waiting")
  expect(queue.wait("b")).toBeUndefined()
})

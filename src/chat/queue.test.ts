/** Holds the queue of a session to its order and its length. */
import { setTimeout as sleep } from "node:timers/promises"
import { expect, test } from "vitest"
import { openTurnQueue } from "./queue.ts"

test("turns of one session run one after the other in the order they came, failed ones too", async () => {
  const queue = openTurnQueue()
  const seen: string[] = []
  const turn = (name: string, waitMs: number) => async () => {
    seen.push(`${name} begins`)
    await sleep(waitMs)
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
  const slow = queue.run("s", () => sleep(200))
  const startedAt = performance.now()
  await queue.run("t", async () => {})
  expect(performance.now() - startedAt).toBeLessThan(150)
  expect(queue.size()).toBe(1)
  await slow
})

test("a session that too many turns wait for takes no more until some are done", async () => {
  const queue = openTurnQueue(2)
  const waiting = [1, 2, 3].map(() => queue.run("s", () => sleep(10)))
  await expect(queue.run("s", () => sleep(0))).rejects.toMatchObject({
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
    await sleep(10)
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

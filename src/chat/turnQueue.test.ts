/** Turns wait for those of their session, and for no other. */
import { setImmediate as nextRound } from "node:timers/promises"
import { expect, test } from "vitest"
import { openTurnQueue } from "./turnQueue.ts"

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
    data: { retryAfter: 1 },
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

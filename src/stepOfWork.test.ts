/** Steps of work: a long one leaves the event loop to others, a short one goes on at once. */
import { expect, test } from "vitest"
import { restAfter, stepOfWork } from "./stepOfWork.ts"

/** Whether somebody who waits for the event loop got on before the step was over. */
async function othersGotOn(work: () => unknown): Promise<boolean> {
  let gotOn = false
  setImmediate(() => setImmediate(() => (gotOn = true)))
  await stepOfWork(work)
  return gotOn
}

test("others get on after a step that took long", async () => {
  const holdLoop = () => {
    const until = performance.now() + 6
    while (performance.now() < until);
  }
  expect(await othersGotOn(holdLoop)).toBe(true)
})

test("a short step is followed by the next one at once", async () => {
  expect(await othersGotOn(() => {})).toBe(false)
})

test("what a step returns is passed on, and what it throws", async () => {
  expect(await stepOfWork(() => 5)).toBe(5)
  const fail = () => {
    throw new Error("No")
  }
  expect(() => stepOfWork(fail)).toThrow("No")
})

/** Keeps the event loop busy for most of the time, as chats do, until it is called off. */
function keepBusy(): () => void {
  const timer = setInterval(() => {
    const until = performance.now() + 8
    while (performance.now() < until);
  }, 10)
  return () => clearInterval(timer)
}

/** Enough rests for the next one to follow what the event loop does now. */
async function restForAWhile(): Promise<void> {
  for (let rest = 0; rest < 8; rest++) await restAfter(10)
}

test("rests are long while the event loop is busy, and short while it is not", async () => {
  await restForAWhile()
  expect(await restAfter(20)).toBe(20)

  const callOff = keepBusy()
  try {
    await restForAWhile()
    expect(await restAfter(20)).toBe(100)
    expect(await restAfter(20, { patience: 3 })).toBe(300)
  } finally {
    callOff()
  }

  await restForAWhile()
  expect(await restAfter(20)).toBe(20)
})

/** Steps of work: a long one leaves the event loop to others, a short one goes on at once. */
import { expect, test } from "vitest"
import { stepOfWork } from "./stepOfWork.ts"

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

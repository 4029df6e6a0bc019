/** Large bodies are worked on one at a time, and no owner gets more turns than another. */
import { setImmediate as nextRound } from "node:timers/promises"
import { expect, onTestFinished, test, vi } from "vitest"
import { openBodyTurns } from "./bodyTurns.ts"

test("a turn begins when the one before is over, and owners take turns", async () => {
  const turns = openBodyTurns()
  const order: string[] = []
  let running = 0
  const work = async (owner: string, name: string) => {
    const end = await turns.take(owner)
    order.push(name)
    running += 1
    expect(running).toBe(1)
    await nextRound()
    running -= 1
    end()
  }
  await Promise.all([
    work("many", "many 1"),
    work("many", "many 2"),
    work("many", "many 3"),
    work("one", "one"),
  ])
  expect(order).toEqual(["many 1", "many 2", "one", "many 3"])
})

test("a turn that never ends holds nobody up for ever", async () => {
  const turns = openBodyTurns()
  await turns.take("stuck")
  const end = await turns.take("next")
  end()
})

test("a turn that ends twice lets in one other", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const turns = openBodyTurns()
  const end = await turns.take("a")
  const others = [turns.take("b"), turns.take("c")]
  end()
  end()
  // Longer than anybody is made to wait, and less than a turn may take.
  vi.advanceTimersByTime(249)
  const endOfSecond = await others[0]
  let isThirdOn = false
  void others[1]?.then(() => {
    isThirdOn = true
  })
  await nextRound()
  expect(isThirdOn).toBe(false)
  endOfSecond?.()
  vi.advanceTimersByTime(249)
  await others[1]
})

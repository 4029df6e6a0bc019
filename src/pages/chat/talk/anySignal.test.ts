/** Signals that abort with the first of others. */
import { expect, test } from "vitest"
import { anySignal } from "./anySignal.ts"

const controllers = () => [new AbortController(), new AbortController()] as const

test("it aborts with the first of them, for the same reason", () => {
  const [one, other] = controllers()
  const signal = anySignal(one.signal, other.signal)
  expect(signal.aborted).toBe(false)
  other.abort("over")
  one.abort("late")
  expect(signal.reason).toBe("over")
})

test("it has aborted when one of them has", () => {
  const [one, other] = controllers()
  other.abort("over")
  expect(anySignal(one.signal, other.signal).reason).toBe("over")
})

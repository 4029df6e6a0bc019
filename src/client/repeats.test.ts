/** Calls that get no answer: how often they are made again, and under which key. */
import { beforeEach, expect, test, vi } from "vitest"
import { createRepeats } from "./repeats.ts"

beforeEach(() => {
  vi.useFakeTimers()
})

/** An error of tRPC; without data, there was no answer. */
function failure(data?: { httpStatus: number; reason: string }): Error {
  return Object.assign(new Error("No answer"), { name: "TRPCClientError", data })
}

/** A service that fails so many times before it answers, and the keys that it was asked with. */
function failing(times: number, error: Error) {
  const keys: string[] = []
  const call = async ({ context }: { context: { idempotencyKey: string } }) => {
    if (keys.push(context.idempotencyKey) <= times) throw error
    return "answer"
  }
  return { keys, call }
}

async function outcomeOf(made: Promise<unknown>): Promise<unknown> {
  const outcome = made.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return await outcome
}

test.each([
  undefined,
  { httpStatus: 503, reason: "STOPPING" },
  { httpStatus: 429, reason: "TOO_MANY_REQUESTS" },
  { httpStatus: 409, reason: "CHAT_BUSY" },
])("a call that fails with %o is made again under its key", async (data) => {
  const { keys, call } = failing(5, failure(data))
  expect(await outcomeOf(createRepeats()({}, call))).toBe("answer")
  expect(keys).toHaveLength(6)
  expect(new Set(keys)).toEqual(new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]))
})

test.each([
  failure({ httpStatus: 404, reason: "NOT_FOUND" }),
  failure({ httpStatus: 409, reason: "CHAT_PAUSED" }),
  new Error("A mistake of the caller"),
])("a refusal is no reason to repeat: %o", async (error) => {
  const { keys, call } = failing(1, error)
  expect(await outcomeOf(createRepeats()({}, call))).toBe(error)
  expect(keys).toHaveLength(1)
})

test("what was given up keeps its key when it is asked for again; anything else has a new one", async () => {
  const repeated = createRepeats()
  const { keys, call } = failing(6, failure())
  expect(await outcomeOf(repeated({ message: "Ann" }, call))).toBeInstanceOf(Error)
  expect(await outcomeOf(repeated({ message: "Ann" }, call))).toBe("answer")
  expect(await outcomeOf(repeated({ message: "Ann" }, call))).toBe("answer")
  expect(await outcomeOf(repeated({ message: "Bob" }, call))).toBe("answer")
  expect([new Set(keys.slice(0, 7)).size, new Set(keys.slice(6)).size]).toEqual([1, 3])
})

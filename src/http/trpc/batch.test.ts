/** Batches make one call after the other, until their answers are too large together. */
import { expect, test } from "vitest"
import { createBatch } from "./batch.ts"

test("calls are made in turn, and not at all once those before them fill the answer", async () => {
  const batch = createBatch(1_000)
  const made: string[] = []
  const call = (name: string, bytes: number) =>
    batch.take(async () => {
      made.push(`${name} begins`)
      await Promise.resolve()
      made.push(`${name} ends`)
      return "x".repeat(bytes)
    })
  const results = await Promise.allSettled([call("a", 600), call("b", 600), call("c", 1)])
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"])
  expect(made).toEqual(["a begins", "a ends", "b begins", "b ends"])
})

test("a call that fails does not keep those after it from being made", async () => {
  const batch = createBatch()
  const failed = batch.take(() => Promise.reject(new Error("no")))
  const next = batch.take(async () => 1)
  await expect(failed).rejects.toThrow("no")
  expect(await next).toBe(1)
})

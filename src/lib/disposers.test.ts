/** A stop ends, even if parts of it fail. */
import { expect, test, vi } from "vitest"
import { disposeAll } from "./disposers.ts"

test("what fails to close, or never does, keeps nothing else open, and the stop ends", async () => {
  vi.useFakeTimers()
  const closed: string[] = []
  const disposers = [
    async () => void closed.push("database"),
    () => new Promise<void>(() => {}),
    async () => {
      throw new Error("The jobs broke")
    },
    async () => void closed.push("listener"),
  ]
  const stopped = disposeAll(disposers, 5_000).catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(4_900)
  expect(closed).toEqual(["listener"])
  await vi.advanceTimersByTimeAsync(100)
  expect(closed).toEqual(["listener", "database"])
  expect(await stopped).toBe("The jobs broke")
})

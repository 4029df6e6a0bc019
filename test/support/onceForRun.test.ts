/** Tests that what is made for a whole run is made once, and never used before it is whole. */
import { existsSync } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { newUuid } from "../../src/lib/ids.ts"
import { onceForRun } from "./onceForRun.ts"
import { openLatch } from "./waiting.ts"

test("whoever asks first makes it, and all others wait until it is whole", async () => {
  const name = `made-${newUuid()}`
  const latch = openLatch()
  let made = 0
  const make = async (folder: string) => {
    made += 1
    await latch.isOpen
    await writeFile(join(folder, "thing"), "whole")
  }
  const asked = [1, 2, 3].map(async () => readFile(join(await onceForRun(name, make), "thing")))
  latch.open()
  expect((await Promise.all(asked)).map(String)).toEqual(["whole", "whole", "whole"])
  expect(made).toBe(1)
})

test("all hear why it could not be made", async () => {
  const name = `broken-${newUuid()}`
  const fail = () => Promise.reject(new Error("The disk is full"))
  const outcomes = await Promise.allSettled([1, 2].map(() => onceForRun(name, fail)))
  const failed = { status: "rejected", reason: new Error("The disk is full") }
  expect(outcomes).toEqual([failed, failed])
  // Not even those who come later try it again.
  await expect(onceForRun(name, async () => {})).rejects.toThrow("The disk is full")
})

test("where nothing can be made, nobody waits", async () => {
  const name = join(`missing-${newUuid()}`, "thing")
  await expect(onceForRun(name, async () => {})).rejects.toThrow("ENOENT")
  expect(existsSync(name)).toBe(false)
})

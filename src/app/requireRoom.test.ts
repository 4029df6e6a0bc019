/** What stands in the way of a start is found before a database is made. */

import type { AddressInfo } from "node:net"
import { createServer } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { testFolder } from "../../test/support/testFolder.ts"
import { readConfig } from "./config.ts"
import { requireRoom, sayIfSlow } from "./requireRoom.ts"
import { explain } from "./startProblem.ts"

async function newFolder(): Promise<string> {
  const made = await testFolder()
  return made
}

test("a port that is taken is found, and a free one stays free", async () => {
  const other = createServer().listen(0, "127.0.0.1")
  await new Promise<void>((resolve) => other.once("listening", resolve))
  const PORT = String((other.address() as AddressInfo).port)
  const config = readConfig({ PORT, PARLEY_DATA: await newFolder() })
  const error = await requireRoom(config).catch((reason: unknown) => reason)
  expect(explain(error)).toContain(`Port ${PORT} is in use`)
  await new Promise((resolve) => other.close(resolve))
  await requireRoom(config)
  await requireRoom(config)
})

test("a start says what it is doing after a second, and nothing when it is faster", async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const info = vi.fn()
  const config = readConfig({ PORT: "0", PARLEY_DATA: await newFolder() })
  sayIfSlow(config, { info })()
  const isReady = sayIfSlow(config, { info })
  vi.advanceTimersByTime(999)
  expect(info).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(info.mock.calls).toEqual([
    ["Starting for the first time: a database is made, which takes some seconds"],
  ])
  isReady()
})

/** What the command line says when its output finds no room. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { expect, test } from "vitest"
import { builtCommand } from "../support/builtProduct.ts"

test.skipIf(!existsSync("/dev/full"))(
  "a command whose output finds no room says so in a sentence and ends with code 1",
  async () => {
    const parley = await builtCommand()
    const line = `"${process.execPath}" "${parley}" schema > /dev/full`
    const ended = await new Promise((resolve) => {
      execFile("sh", ["-c", line], (error, _, err) => resolve({ code: error?.code, err }))
    })
    const words =
      "The output is incomplete. ENOSPC: no space left on device, write. Make room on that disk.\n"
    expect(ended).toEqual({ code: 1, err: words })
  },
)

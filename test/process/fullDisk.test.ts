/** What the command line says when its output finds no room, and that a service goes on without its log. */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { builtCommand, builtProduct } from "../support/builtProduct.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { testFolder } from "../support/testFolder.ts"
import { eventually } from "../support/waiting.ts"
import { call, launchCommand } from "./product.ts"

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

test.skipIf(!existsSync("/dev/full")).each(["start.mjs", "parley.mjs start"])(
  "a service whose log and output find no room serves, and stops in order: %s",
  async (script) => {
    const data = await testFolder()
    const line = `exec "${process.execPath}" scripts/${script} > /dev/full 2> /dev/full`
    const { child, ended } = launchCommand(["sh", "-c", line], {
      folder: await builtProduct(),
      variables: {
        DATABASE_URL: await testDatabaseUrl(),
        PARLEY_SECRET: "a secret that only tests know of",
        PARLEY_DATA: data,
        PARLEY_LOG_LEVEL: "debug",
      },
    })
    const address = await eventually(async () => {
      return /^http\S+/.exec(await readFile(join(data, "address"), "utf8"))?.[0] ?? expect.fail()
    })
    for (let count = 0; count < 3; count++) {
      const { status } = await call(`${address}/api/v1/bots/demo/startChat`, { body: {} })
      expect(status).toBe(200)
    }
    child.kill("SIGTERM")
    expect(await ended()).toEqual({ code: 0, signal: null })
  },
)

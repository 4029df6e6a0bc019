/** Which threads let the one that serves requests go first. */
import { readdirSync, readFileSync } from "node:fs"
import { platform } from "node:os"
import { expect, onTestFinished, test } from "vitest"
import { openSandbox } from "../effects/sandbox/sandbox.ts"

/** Priorities of the threads of this process, the main one first: 0 is the usual one, 10 a lower one. */
function priorities(): number[] {
  const threads = readdirSync("/proc/self/task")
    .map(Number)
    .sort((one, other) => one - other)
  return threads.map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8")
    // After the name, which is in brackets and may have spaces.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16])
  })
}

const lower = () => priorities().filter((priority) => priority === 10).length

test.runIf(platform() === "linux")(
  "threads of long scripts do, and neither those of short ones nor the main one",
  async () => {
    const sandbox = openSandbox({ shortMs: 100, runMs: 200 })
    onTestFinished(() => sandbox.close())
    const run = (code: string) => sandbox.run([{ code, globals: {}, mode: "program" }])
    const before = lower()
    await run("return 1")
    expect(lower()).toBe(before)
    await run("return await 1 // fetch")
    expect(lower()).toBe(before + 1)
    expect(priorities()[0]).toBe(0)
  },
)

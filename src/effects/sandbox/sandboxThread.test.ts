/** Tests that a thread runs job after job, until one takes so much memory that the thread must end. */
import { expect, onTestFinished, test } from "vitest"
import { silentLog } from "../../telemetry/log.ts"
import { openThread } from "./sandboxThread.ts"

const options = {
  answer: async () => ({ text: "", isRefused: true }),
  compute: <T>(work: () => T) => work(),
  mayHold: () => true,
}

function jobOf(...codes: string[]) {
  const scripts = codes.map((code) => {
    return { code, globals: "{}", mode: "program" as const, hasFetch: false }
  })
  return { scripts, runMs: 60_000, maxCharacters: 1_000 }
}

function open() {
  const thread = openThread(silentLog())
  onTestFinished(() => thread.stop())
  return thread
}

test("modest jobs leave the thread as it was", async () => {
  const thread = open()
  await thread.run(jobOf("return 1"), options)
  expect(await thread.run(jobOf("return 2"), options)).toEqual([{ text: '{"value":2}' }])
  expect(thread.isLost()).toBe(false)
})

test("a hungry job gets its outcomes, and takes the thread with it", async () => {
  const thread = open()
  const hungry = "const a = []; while (a.length < 40) a.push('x'.repeat(1e6) + a.length); return 3"
  const outcomes = await thread.run(jobOf(hungry), options)
  expect(outcomes).toEqual([{ text: '{"value":3}' }])
  expect(thread.isLost()).toBe(true)
})

test("a script behind one that broke the machine finds a new one", async () => {
  const thread = open()
  const endless = "const a = []; while (true) a.push({ a: 1 })"
  const outcomes = await thread.run(jobOf(endless, "return 4"), options)
  expect(outcomes).toEqual([expect.objectContaining({ isTimeout: false }), { text: '{"value":4}' }])
  expect(thread.isLost()).toBe(false)
})

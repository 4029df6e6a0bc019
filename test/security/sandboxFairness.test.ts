/** Scripts that wait for other servers: they take no thread from anybody, and hang alone. */
import { afterEach, describe, expect, it } from "vitest"
import { openSandbox, type RunHow, type SandboxOptions } from "../../src/effects/sandbox/sandbox.ts"
import { isFailure, type Script } from "../../src/engine/calls.ts"

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

const asking: Script = {
  code: "return await fetch('https://a.test')",
  globals: {},
  mode: "program",
}
const simple: Script = { code: "return 6 * 7", globals: {}, mode: "expression" }
const isBusy = { failed: true, description: "Too many scripts are running" }

/** A sandbox whose servers answer when they are told to. */
function world(options: SandboxOptions = {}) {
  const sandbox = openSandbox(options)
  opened.push(sandbox.close)
  const open: ((text: string) => void)[] = []
  const slow: RunHow["fetch"] = () => new Promise((resolve) => open.push(resolve))
  const run = async (script: Script, how: RunHow = {}) => (await sandbox.run([script], how))[0]
  return {
    run,
    /** A script that waits for its server. */
    wait: (owner: string, how: RunHow = {}) => run(asking, { owner, fetch: slow, ...how }),
    /** How many wait for their servers. */
    waiting: () => open.length,
    async untilWaiting(count: number) {
      await expect.poll(() => open.length, { timeout: 20_000 }).toBe(count)
    },
    answerAll: () => {
      for (const answer of open.splice(0)) answer("ok")
    },
  }
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

describe("slow servers", () => {
  it("hold up as many scripts of one owner as three quarters of all places, and no other", async () => {
    const { run, wait, untilWaiting, waiting, answerAll } = world()
    const slow = times(60, () => wait("hostile"))
    await untilWaiting(24)
    const quick: RunHow["fetch"] = async () => "quick"
    for (const owner of ["a", "b"]) {
      expect(await run(asking, { owner, fetch: quick })).toEqual({ value: "quick" })
      expect(await run(simple, { owner })).toEqual({ value: 42 })
    }
    // Its own scripts that only compute are not held up either.
    expect(await run(simple, { owner: "hostile" })).toEqual({ value: 42 })
    expect(waiting()).toBe(24)
    answerAll()
    await untilWaiting(24)
    answerAll()
    await untilWaiting(12)
    answerAll()
    expect(await Promise.all(slow)).toEqual(times(60, () => ({ value: "ok" })))
  }, 60_000)

  it("of many owners at once leave a place to one who has none", async () => {
    const { run, wait, untilWaiting } = world()
    for (const owner of times(10, (index) => `hostile ${index}`)) void wait(owner)
    for (const owner of ["hostile 0", "hostile 1"]) times(5, () => void wait(owner))
    await untilWaiting(20)
    const quick: RunHow["fetch"] = async () => "quick"
    expect(await run(asking, { owner: "a", fetch: quick })).toEqual({ value: "quick" })
  }, 60_000)

  it("make those wait who come when all places are taken, for a while and in a line", async () => {
    const small = { fetching: 1, fetchingPlaces: 4, maxWaiting: 2 }
    const { wait, untilWaiting, answerAll } = world({ ...small, maxWaitMs: 20_000 })
    const first = times(3, () => wait("a"))
    await untilWaiting(3)
    const patient = times(2, () => wait("a"))
    expect(await wait("a")).toEqual(isBusy)
    answerAll()
    expect(await Promise.all(first)).toEqual(times(3, () => ({ value: "ok" })))
    await untilWaiting(2)
    answerAll()
    expect(await Promise.all(patient)).toEqual(times(2, () => ({ value: "ok" })))
    const hasty = world({ ...small, maxWaitMs: 100 })
    times(3, () => void hasty.wait("a"))
    await hasty.untilWaiting(3)
    expect(await hasty.wait("a")).toEqual(isBusy)
  }, 60_000)
})

describe("a script that waits", () => {
  const hang: Script = {
    code: "[].indexOf.call({ length: 2 ** 53 - 1 }, 1) // fetch",
    globals: {},
    mode: "program",
  }
  const small = { fetching: 2, fetchingPlaces: 8 }

  it("is not ended by what hangs elsewhere, and those behind a hanging one go on too", async () => {
    const { run, wait, untilWaiting, answerAll } = world(small)
    const other = wait("a")
    await untilWaiting(1)
    const hung = run(hang, { owner: "b", runMs: 300 })
    const behind = times(3, () =>
      run({ ...simple, code: "return 1 // fetch", mode: "program" }, { owner: "b" }),
    )
    expect(await hung).toMatchObject({ failed: true, reason: "timeout" })
    expect(await Promise.all(behind)).toEqual(times(3, () => ({ value: 1 })))
    answerAll()
    expect(await other).toEqual({ value: "ok" })
  }, 60_000)

  it("ends with its turn, and those beside it go on", async () => {
    const { run, wait, untilWaiting, answerAll } = world({ ...small, fetching: 1 })
    const controller = new AbortController()
    const ending = wait("a", { signal: controller.signal })
    const staying = wait("a")
    await untilWaiting(2)
    controller.abort()
    expect(await ending).toMatchObject({ failed: true, reason: "timeout" })
    answerAll()
    expect(await staying).toEqual({ value: "ok" })
    expect(await run(asking, { fetch: async () => "next" })).toEqual({ value: "next" })
  }, 60_000)

  it("sees nothing of those beside it", async () => {
    const { run } = world({ ...small, fetching: 1 })
    const code = `
      const before = typeof globalThis.mine
      globalThis.mine = name
      Object.prototype.mine = name
      const text = await fetch("https://a.test/" + name)
      return [before, globalThis.mine, ({}).mine, text]`
    const fetch: RunHow["fetch"] = async ({ url }) => {
      await new Promise((resolve) => setTimeout(resolve, 200 * Math.random()))
      return url.slice(-1)
    }
    const names = ["a", "b", "c", "d", "e"]
    const outcomes = await Promise.all(
      names.map((name) => run({ code, globals: { name }, mode: "program" }, { fetch })),
    )
    expect(outcomes).toEqual(names.map((name) => ({ value: ["undefined", name, name, name] })))
  }, 60_000)

  it("may not hold much memory when the others there do", async () => {
    const { run, wait, untilWaiting, answerAll } = world({ ...small, fetching: 1 })
    const code = `
      const held = []
      for (let i = 0; i < 40; i++) held.push(new Uint8Array(1e6).fill(1))
      return await fetch("https://a.test") + held.length`
    const outcomes: unknown[] = []
    let asked = 0
    const fetch: RunHow["fetch"] = () => {
      asked++
      return new Promise(() => {})
    }
    for (let i = 0; i < 6; i++) {
      void run({ code, globals: {}, mode: "program" }, { fetch }).then((each) =>
        outcomes.push(each),
      )
    }
    await expect.poll(() => asked + outcomes.length, { timeout: 30_000 }).toBe(6)
    expect(asked).toBeGreaterThan(1)
    expect(outcomes.length).toBeGreaterThan(0)
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ description: "The script used too much memory" })
    }
    const modest = wait("")
    await untilWaiting(1)
    answerAll()
    expect(await modest).toEqual({ value: "ok" })
  }, 60_000)
})

it("scripts that follow each other on busy threads are all answered", async () => {
  const { run } = world()
  const fetch: RunHow["fetch"] = async ({ url }) => url
  const outcomes = await Promise.all(
    times(200, (index) => {
      const code = `const a = await fetch("${index}"); return a + await fetch("x")`
      const script: Script = { code, globals: {}, mode: "program" }
      return run(script, { owner: `owner ${index % 7}`, fetch })
    }),
  )
  expect(outcomes.filter((outcome) => !outcome || isFailure(outcome))).toEqual([])
  expect(outcomes).toEqual(times(200, (index) => ({ value: `${index}x` })))
}, 60_000)

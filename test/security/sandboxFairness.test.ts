/** Tests that scripts waiting for other servers take no thread from anybody, and hang alone. */
import { afterEach, describe, expect, it } from "vitest"
import {
  openSandbox,
  type RunOptions,
  type SandboxOptions,
} from "../../src/effects/sandbox/sandbox.ts"
import { isFailure, type Script } from "../../src/engine/calls.ts"
import { userParty } from "../../src/lib/party.ts"
import { hostileScripts } from "../support/hostileScripts.ts"
import { expression, script } from "./sandboxScene.ts"

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

const asking = script("return await fetch('https://a.test')")
const simple = expression("6 * 7")
const isBusy = { failed: true, description: "Too many scripts are running" }

/** A sandbox with servers that answer on command. */
function world(options: SandboxOptions = {}) {
  const sandbox = openSandbox({ runMs: 60_000, ...options })
  opened.push(sandbox.close)
  const open: ((text: string) => void)[] = []
  const slow: RunOptions["fetch"] = () => new Promise((resolve) => open.push(resolve))
  const run = async (script: Script, how: RunOptions = {}) => (await sandbox.run([script], how))[0]
  return {
    sandbox,
    run,
    /** A script that waits for its server. */
    wait: (owner: string, how: RunOptions = {}) =>
      run(asking, { party: userParty(owner), fetch: slow, ...how }),
    /** How many scripts wait for their servers. */
    waiting: () => open.length,
    async untilWaiting(count: number) {
      await expect.poll(() => open.length).toBe(count)
    },
    answerAll: () => {
      for (const answer of open.splice(0)) answer("ok")
    },
  }
}

const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index))

describe("slow servers", () => {
  it("hold up as many scripts of one owner as three quarters of all threads, and no other", async () => {
    const { run, wait, untilWaiting, waiting, answerAll } = world({ fetching: 8 })
    const slow = times(20, () => wait("hostile"))
    await untilWaiting(6)
    const quick: RunOptions["fetch"] = async () => "quick"
    for (const owner of ["a", "b"]) {
      expect(await run(asking, { party: userParty(owner), fetch: quick })).toEqual({
        value: "quick",
      })
      expect(await run(simple, { party: userParty(owner) })).toEqual({ value: 42 })
    }
    // The scripts of the same owner that only compute are not held up either.
    expect(await run(simple, { party: userParty("hostile") })).toEqual({ value: 42 })
    expect(waiting()).toBe(6)
    for (const left of [6, 6, 2]) {
      answerAll()
      await untilWaiting(left)
    }
    answerAll()
    expect(await Promise.all(slow)).toEqual(times(20, () => ({ value: "ok" })))
  })

  it("of many owners at once leave a thread to one who has none", async () => {
    const { run, wait, untilWaiting } = world({ fetching: 8 })
    for (const owner of times(5, (index) => `hostile ${index}`)) void wait(owner)
    times(2, () => void wait("hostile 0"))
    await untilWaiting(7)
    const quick: RunOptions["fetch"] = async () => "quick"
    expect(await run(asking, { party: userParty("a"), fetch: quick })).toEqual({ value: "quick" })
  })

  it("make those wait who come when all threads are taken, for a while and in a line", async () => {
    const small = { fetching: 4, maxWaiting: 2 }
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
  })
})

describe("a script that waits", () => {
  const program = (code: string, globals?: Script["globals"]) => script(`${code} // fetch`, globals)
  const large = (index: number) => program("return 1", { text: `${index}ж`.repeat(500_000) })

  it.each<[name: string, scripts: Script[], failure: object]>([
    ["hangs", [program(hostileScripts["native loop"])], { reason: "timeout" }],
    ["loops without an end", [program("while (true) {}")], { reason: "timeout" }],
    [
      "takes all memory of its machine",
      [program(hostileScripts["memory bomb"])],
      { description: "The script used too much memory" },
    ],
    [
      "makes its thread die of hunger",
      times(60, large),
      { description: "The sandbox could not run the script" },
    ],
  ])("gets its answer when another one of its owner %s", async (_name, scripts, failure) => {
    const { sandbox, wait, untilWaiting, answerAll } = world({ fetching: 10 })
    // Scripts that end for another reason may take long on a busy machine.
    const how: RunOptions = { party: userParty("a"), runMs: "reason" in failure ? 200 : 60_000 }
    const others = times(6, () => wait("a"))
    await untilWaiting(6)
    const outcomes = await sandbox.run(scripts, how)
    expect(outcomes).toMatchObject(scripts.map(() => ({ failed: true, ...failure })))
    expect(await sandbox.run([program("return 1")], { party: userParty("a") })).toEqual([
      { value: 1 },
    ])
    answerAll()
    expect(await Promise.all(others)).toEqual(times(6, () => ({ value: "ok" })))
  })

  it("gets it when many want to compute at once, however few may wait for a thread", async () => {
    const { run } = world({ fetching: 8, fetchingAtOnce: 1, maxWaiting: 1 })
    const quick: RunOptions = { party: userParty("a"), fetch: async () => "quick" }
    const outcomes = await Promise.all(times(6, () => run(asking, quick)))
    expect(outcomes).toEqual(times(6, () => ({ value: "quick" })))
  })

  it("gets it while others hang, though only two may compute at a time", async () => {
    const { run, wait, untilWaiting, answerAll } = world({ fetching: 8, fetchingAtOnce: 2 })
    const waiting = times(3, () => wait("a"))
    await untilWaiting(3)
    const leaving = new AbortController()
    const how = { party: userParty("b"), signal: leaving.signal }
    const hung = times(3, () => run(program(hostileScripts["native loop"]), how))
    expect(await run(asking, { party: userParty("c"), fetch: async () => "quick" })).toEqual({
      value: "quick",
    })
    answerAll()
    expect(await Promise.all(waiting)).toEqual(times(3, () => ({ value: "ok" })))
    leaving.abort()
    for (const outcome of await Promise.all(hung)) expect(outcome).toMatchObject({ failed: true })
  })

  it("ends with its turn, and those beside it go on", async () => {
    const { run, wait, untilWaiting, answerAll } = world()
    const controller = new AbortController()
    const ending = wait("a", { signal: controller.signal })
    const staying = wait("a")
    await untilWaiting(2)
    controller.abort()
    expect(await ending).toMatchObject({ failed: true, reason: "timeout" })
    answerAll()
    expect(await staying).toEqual({ value: "ok" })
    expect(await run(asking, { fetch: async () => "next" })).toEqual({ value: "next" })
  })

  it("sees nothing of those beside it", async () => {
    const { run } = world()
    const code = `
      const before = typeof globalThis.mine
      globalThis.mine = name
      Object.prototype.mine = name
      const text = await fetch("https://a.test/" + name)
      return [before, globalThis.mine, ({}).mine, text]`
    const names = ["a", "b", "c", "d", "e"]
    const asking: (() => void)[] = []
    // All are answered, last one first, once all have made their request.
    const fetch: RunOptions["fetch"] = async ({ url }) => {
      await new Promise<void>((resolve) => {
        if (asking.push(resolve) === names.length) for (const go of asking.toReversed()) go()
      })
      return url.slice(-1)
    }
    const outcomes = await Promise.all(names.map((name) => run(script(code, { name }), { fetch })))
    expect(outcomes).toEqual(names.map((name) => ({ value: ["undefined", name, name, name] })))
  })

  it("may not hold much memory when others do, until they are gone", async () => {
    const { run, wait, untilWaiting, answerAll } = world({ maxHungryBytes: 160 * 1024 * 1024 })
    const hungry = script(`
      const held = []
      for (let i = 0; i < 40; i++) held.push(new Uint8Array(1e6).fill(1))
      return await fetch("https://a.test") + held.length`)
    const controller = new AbortController()
    const never: RunOptions["fetch"] = () => new Promise(() => {})
    const ended: unknown[] = []
    const all = times(5, async () =>
      ended.push(await run(hungry, { fetch: never, signal: controller.signal })),
    )
    await expect.poll(() => ended.length).toBe(3)
    for (const outcome of ended) {
      expect(outcome).toMatchObject({ description: "The script used too much memory" })
    }
    const modest = wait("")
    await untilWaiting(1)
    answerAll()
    expect(await modest).toEqual({ value: "ok" })
    expect(ended).toHaveLength(3)
    controller.abort()
    await Promise.all(all)
    expect(await run(hungry, { fetch: async () => "room for " })).toEqual({ value: "room for 40" })
  })
})

it("scripts of an owner who ran out of the short time wait for the long ones, and take no place from others", async () => {
  const { run } = world({ computing: 1 })
  const ended: string[] = []
  const note = async (name: string, outcome: Promise<unknown>) => {
    await outcome
    ended.push(name)
  }
  const hostile = { party: userParty("hostile") }
  const endless = script(hostileScripts["native loop"])
  // Each overruns, once in the line of the short ones and once in that of the long ones.
  for (let time = 0; time < 2; time++) await run(endless, { ...hostile, runMs: 200 })
  const leaving = new AbortController()
  const looping = note("loop", run(endless, { ...hostile, signal: leaving.signal }))
  const waiting = note("simple of hostile", run(simple, hostile))
  const honest = times(5, () => note("honest", run(simple, { party: userParty("honest") })))
  await Promise.all(honest)
  expect(ended).toEqual(times(5, () => "honest"))
  leaving.abort()
  await Promise.all([looping, waiting])
  expect(ended.slice(5)).toEqual(["loop", "simple of hostile"])
})

it("scripts that follow each other on busy threads are all answered", async () => {
  const { run } = world({ fetching: 8, maxWaitMs: 60_000 })
  const fetch: RunOptions["fetch"] = async ({ url }) => url
  const outcomes = await Promise.all(
    times(200, (index) => {
      const code = `const a = await fetch("${index}"); return a + await fetch("x")`
      return run(script(code), { party: userParty(`owner ${index % 7}`), fetch })
    }),
  )
  expect(outcomes.filter((outcome) => !outcome || isFailure(outcome))).toEqual([])
  expect(outcomes).toEqual(times(200, (index) => ({ value: `${index}x` })))
})

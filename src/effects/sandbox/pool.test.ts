/** A pool lends resources, and keeps idle ones for a time. */
import { setImmediate as nextRound } from "node:timers/promises"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { userParty } from "../../lib/party.ts"
import { openPool, type PoolLimits } from "./pool.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

type Thing = { name: number; isLost(): boolean; stop(): void }

/** A pool of numbered things, and what its borrowers got: `owner@thing`, or `owner:none`. */
function scene(limits: Partial<PoolLimits> = {}) {
  let opened = 0
  const lost = new Set<number>()
  const open = (): Thing => {
    const name = ++opened
    return { name, isLost: () => lost.has(name), stop: () => void lost.add(name) }
  }
  const line = { maxWaiting: 100, maxWaitMs: 60_000 }
  const idle = { warm: 1, warmMs: 60_000, idleMs: 60_000 }
  const pool = openPool("shortScripts", open, { places: 2, ...line, ...idle, ...limits })
  const seen: string[] = []
  const ends: { owner: string; end: () => void }[] = []
  const come = async (owner: string) => {
    const work = (thing: Thing) => {
      seen.push(`${owner}@${thing.name}`)
      return new Promise<true>((resolve) => ends.push({ owner, end: () => resolve(true) }))
    }
    if (!(await pool.use({ party: userParty(owner) }, work))) seen.push(`${owner}:none`)
  }
  const settle = async () => {
    for (let round = 0; round < 3; round++) await nextRound()
  }
  return {
    pool,
    lost,
    /** How many things there have been. */
    opened: () => opened,
    async come(...owners: string[]) {
      for (const owner of owners) void come(owner)
      await settle()
      return seen.splice(0)
    },
    /** The oldest work of an owner ends. */
    async end(owner: string) {
      const index = ends.findIndex((each) => each.owner === owner)
      for (const { end } of ends.splice(index, 1)) end()
      await settle()
      return seen.splice(0)
    },
  }
}

it("lends nothing that is lost, and opens another in its place", async () => {
  const { come, end, lost, pool } = scene({ places: 1 })
  expect(await come("a", "b")).toEqual(["a@1"])
  lost.add(1)
  expect(await end("a")).toEqual(["b@2"])
  await end("b")
  lost.add(2)
  expect(await come("a")).toEqual(["a@3"])
  pool.close()
  expect(lost).toContain(3)
  expect(await come("a")).toEqual(["a:none"])
})

it("opens another as soon as one is lost, unless none has to be warm", async () => {
  const { come, end, lost, opened, pool } = scene({ places: 1 })
  await come("a")
  lost.add(1)
  await end("a")
  expect(opened()).toBe(2)
  expect(await come("b")).toEqual(["b@2"])
  pool.close()
  await end("b")
  expect(opened()).toBe(2)
  const cold = scene({ places: 1, warm: 0 })
  await cold.come("a")
  cold.lost.add(1)
  await cold.end("a")
  expect(cold.opened()).toBe(1)
})

it("gives up what is not used, sooner when there is more of it than has to be warm", async () => {
  const { come, end, lost } = scene({ places: 8, idleMs: 30 })
  expect(await come("a", "b", "c")).toEqual(["a@1", "b@2", "c@3"])
  for (const owner of ["a", "b", "c"]) await end(owner)
  expect(lost.size).toBe(0)
  vi.advanceTimersByTime(30)
  expect([...lost].sort()).toEqual([2, 3])
  expect(await come("a", "b")).toEqual(["a@1", "b@4"])
  const brief = scene({ warmMs: 30 })
  await brief.come("a")
  await brief.end("a")
  vi.advanceTimersByTime(30)
  expect([...brief.lost]).toEqual([1])
})

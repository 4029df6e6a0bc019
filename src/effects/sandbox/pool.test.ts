/** Who gets a thing, who waits, and who goes without. */
import { afterEach, beforeEach, expect, it, vi } from "vitest"
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
  const pool = openPool(open, { size: 2, ...line, ...idle, ...limits })
  const seen: string[] = []
  const ends: { owner: string; end: () => void }[] = []
  const come = async (owner: string, signal?: AbortSignal) => {
    const work = (thing: Thing) => {
      seen.push(`${owner}@${thing.name}`)
      return new Promise<true>((resolve) => ends.push({ owner, end: () => resolve(true) }))
    }
    if (!(await pool.use({ owner, signal }, work))) seen.push(`${owner}:none`)
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    pool,
    lost,
    async come(...owners: string[]) {
      for (const owner of owners) void come(owner)
      await settle()
      return seen.splice(0)
    },
    async comeUntil(owner: string, signal: AbortSignal) {
      void come(owner, signal)
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
    later: async () => seen.splice(0),
  }
}

it("gives an owner three quarters of all things, and the rest to others alone", async () => {
  const { come } = scene({ size: 8 })
  expect(await come(...Array(9).fill("a"))).toEqual(["a@1", "a@2", "a@3", "a@4", "a@5", "a@6"])
  expect(await come("b", "c", "d")).toEqual(["b@7", "c@8"])
})

it("serves those first who have the fewest, then those who were served the longest ago", async () => {
  const { come, end } = scene({ size: 1 })
  expect(await come("a", "a", "a", "b", "c", "b")).toEqual(["a@1"])
  expect(await end("a")).toEqual(["b@1"])
  expect(await end("b")).toEqual(["c@1"])
  expect(await end("c")).toEqual(["a@1"])
  expect(await end("a")).toEqual(["b@1"])
  expect(await end("b")).toEqual(["a@1"])
})

it("takes the last place in a full line from whoever fills it", async () => {
  const { come, end } = scene({ size: 1, maxWaiting: 3 })
  expect(await come("a", "a", "a", "a")).toEqual(["a@1"])
  expect(await come("a")).toEqual(["a:none"])
  expect(await come("b")).toEqual(["a:none"])
  expect(await come("a")).toEqual(["a:none"])
  expect(await end("a")).toEqual(["b@1"])
})

it("lets nobody wait longer than that, or than they want to", async () => {
  const { come, comeUntil } = scene({ size: 1, maxWaitMs: 50 })
  await come("a")
  const controller = new AbortController()
  expect(await comeUntil("b", controller.signal)).toEqual([])
  controller.abort()
  expect(await come("c")).toEqual(["b:none"])
  vi.advanceTimersByTime(50)
  expect(await come()).toEqual(["c:none"])
  expect(await comeUntil("d", AbortSignal.abort())).toEqual(["d:none"])
})

it("lends nothing that is lost, and opens another in its place", async () => {
  const { come, end, lost, pool } = scene({ size: 1 })
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

it("gives up what is not used, sooner when there is more of it than has to be warm", async () => {
  const { come, end, lost } = scene({ size: 8, idleMs: 30 })
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

/** Who gets a place on a thing, who waits, and who goes without. */
import { expect, it } from "vitest"
import { openPool, type PoolLimits } from "./pool.ts"

type Thing = { name: number; isLost(): boolean; stop(): void }

/** A pool of numbered things, and what its borrowers got: `owner@thing`, or `owner:none`. */
function scene(limits: Partial<PoolLimits> = {}) {
  let opened = 0
  const open = (): Thing => ({ name: ++opened, isLost: () => false, stop: () => {} })
  const limited = { size: 2, places: 1, maxWaiting: 100, maxWaitMs: 60_000, idleMs: 60_000 }
  const pool = openPool(open, { ...limited, ...limits })
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

it("gives an owner three quarters of all places, and the rest to others alone", async () => {
  const { come } = scene({ size: 2, places: 4 })
  expect(await come(...Array(8).fill("a"))).toEqual([
    ...["a@1", "a@1", "a@1", "a@1"],
    ...["a@2", "a@2"],
  ])
  expect(await come("b")).toEqual(["b@2"])
})

it("opens a thing for each owner and keeps them apart while it can", async () => {
  const { come } = scene({ size: 3, places: 2 })
  expect(await come("a", "b", "a", "b", "a")).toEqual(["a@1", "b@2", "a@1", "b@2", "a@3"])
  // Who has none sits with others; who has some does not spread to them.
  expect(await come("c", "b")).toEqual(["c@3"])
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
  await new Promise((resolve) => setTimeout(resolve, 80))
  expect(await come()).toEqual(["c:none"])
  expect(await comeUntil("d", AbortSignal.abort())).toEqual(["d:none"])
})

it("lends nothing that is lost, and opens another in its place", async () => {
  const lost = new Set<number>()
  let opened = 0
  const open = (): Thing => {
    const name = ++opened
    return { name, isLost: () => lost.has(name), stop: () => {} }
  }
  const limits = { size: 1, places: 2, maxWaiting: 9, maxWaitMs: 1_000, idleMs: 1_000 }
  const pool = openPool(open, limits)
  const use = (owner: string) => pool.use({ owner }, async ({ name }) => name)
  expect(await use("a")).toBe(1)
  const held = pool.use({ owner: "a" }, async () => {
    lost.add(1)
    return await use("b")
  })
  expect(await held).toBe(2)
  expect(await use("a")).toBe(2)
  pool.close()
  expect(await use("a")).toBeUndefined()
})

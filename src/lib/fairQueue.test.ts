/** Who gets a place, who waits for one, and who goes without. */
import { setImmediate as nextRound } from "node:timers/promises"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { openFairQueue, type QueueLimits } from "./fairQueue.ts"
import { strangerParty, userParty } from "./party.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** `a` is an owner, `a/1` a part of it; `stranger/1` is one of the addresses of strangers. */
function partyOf(name: string) {
  const [owner = "", part = ""] = name.split("/")
  if (owner === "stranger") return strangerParty(part)
  return userParty(owner, part)
}

/** A queue, and what became of those who came: their names when they got a place, or `name:none`. */
function scene(limits: Partial<QueueLimits> = {}) {
  const queue = openFairQueue("longRuns", {
    places: 1,
    maxWaiting: 100,
    maxWaitMs: 60_000,
    ...limits,
  })
  const seen: string[] = []
  const leaves: { owner: string; leave: () => void }[] = []
  const since = async () => {
    for (let round = 0; round < 3; round++) await nextRound()
    return seen.splice(0)
  }
  const enter = (owner: string, signal?: AbortSignal) => {
    void queue.enter(partyOf(owner), signal).then((leave) => {
      seen.push(leave ? owner : `${owner}:none`)
      if (leave) leaves.push({ owner, leave })
    })
  }
  return {
    queue,
    since,
    come(owner: string, signal?: AbortSignal) {
      enter(owner, signal)
      return since()
    },
    comeAll(...owners: string[]) {
      for (const owner of owners) enter(owner)
      return since()
    },
    /** The first of an owner leaves, and repeats that as often as asked. */
    leave(owner: string, times = 1) {
      const at = leaves.findIndex((each) => each.owner === owner)
      for (const { leave } of leaves.splice(at, 1)) for (let n = 0; n < times; n++) leave()
      return since()
    },
  }
}

it("lets owners take turns, however many of one wait", async () => {
  const queue = scene()
  expect(await queue.comeAll("a", "a", "a", "b", "c", "b")).toEqual(["a"])
  const order = []
  for (const owner of ["a", "a", "b", "c", "a"]) order.push(...(await queue.leave(owner)))
  expect(order).toEqual(["a", "b", "c", "a", "b"])
})

it("lets the parts of an owner take turns within the turns of the owner", async () => {
  const queue = scene()
  const parts = Array.from({ length: 12 }, (_, index) => `a/${index}`)
  expect(await queue.comeAll(...parts, "a/1", "b")).toEqual(["a/0"])
  const order: string[] = []
  for (let turn = 0; turn < 4; turn++) order.push(...(await queue.leave(order.at(-1) ?? "a/0")))
  expect(order).toEqual(["a/1", "b", "a/2", "a/3"])
})

it("begins the next one in a later round of the event loop", async () => {
  const { queue } = scene()
  const order: string[] = []
  const first = queue.run(partyOf("a"), () => void order.push("a"))
  const second = queue.run(partyOf("b"), () => void order.push("b"))
  void first.then(() => process.nextTick(() => order.push("others")))
  await second
  expect(order).toEqual(["a", "others", "b"])
})

it("leaves a place for an owner who has none, however much two others ask for", async () => {
  const { comeAll } = scene({ places: 24 })
  const workspaces = Array.from({ length: 60 }, (_, index) => `a/${index % 12}`)
  const addresses = Array.from({ length: 60 }, (_, index) => `b/${index % 12}`)
  const got = await comeAll(...workspaces, ...addresses)
  expect(got.filter((name) => name.startsWith("a/"))).toHaveLength(18)
  expect(got.filter((name) => name.startsWith("b/"))).toHaveLength(5)
  expect(await comeAll("honest")).toEqual(["honest"])
})

it("gives one owner three quarters of the places, and the rest to others alone", async () => {
  const { comeAll } = scene({ places: 8 })
  expect(await comeAll(...Array(9).fill("a"))).toEqual(Array(6).fill("a"))
  expect(await comeAll("b", "c", "d")).toEqual(["b", "c"])
})

it("leaves a part of the places of strangers to other addresses", async () => {
  const { comeAll } = scene({ places: 24 })
  expect(await comeAll(...Array(40).fill("stranger/1"))).toHaveLength(14)
  expect(await comeAll(...Array(40).fill("stranger/2"))).toHaveLength(3)
  expect(await comeAll("stranger/3")).toEqual(["stranger/3"])
  expect(await comeAll("honest")).toEqual(["honest"])
})

it("takes the last place in a full line from the owner that fills it", async () => {
  const queue = scene({ maxWaiting: 3 })
  expect(await queue.comeAll("a", "a", "a", "a")).toEqual(["a"])
  expect(await queue.come("a")).toEqual(["a:none"])
  expect(await queue.come("b")).toEqual(["a:none"])
  expect(await queue.come("a")).toEqual(["a:none"])
  expect(await queue.leave("a")).toEqual(["a"])
  expect(await queue.leave("a")).toEqual(["b"])
})

it("ends every wait at its limit, or when the caller leaves", async () => {
  const queue = scene({ maxWaitMs: 50 })
  await queue.come("a")
  const controller = new AbortController()
  expect(await queue.come("b", controller.signal)).toEqual([])
  controller.abort()
  expect(await queue.come("c")).toEqual(["b:none"])
  vi.advanceTimersByTime(50)
  expect(await queue.since()).toEqual(["c:none"])
  expect(await queue.come("d", AbortSignal.abort())).toEqual(["d:none"])
})

it("frees one place when work leaves twice", async () => {
  const queue = scene()
  await queue.comeAll("a", "b", "c")
  expect(await queue.leave("a", 2)).toEqual(["b"])
  expect(await queue.since()).toEqual([])
})

it("frees the place of work that fails", async () => {
  const { queue } = scene()
  const failing = queue.run(partyOf("a"), () => {
    throw new Error("No")
  })
  const next = queue.run(partyOf("b"), () => "done")
  await expect(failing).rejects.toThrow("No")
  expect(await next).toBe("done")
})

it("turns everybody away once it is closed", async () => {
  const scenery = scene()
  await scenery.comeAll("a", "b", "c")
  scenery.queue.close()
  expect(await scenery.since()).toEqual(["b:none", "c:none"])
  expect(await scenery.come("d")).toEqual(["d:none"])
})

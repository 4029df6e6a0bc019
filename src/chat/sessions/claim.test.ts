/** A claim is kept while its turn runs, asked about after a standstill, and lost for good. */
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { silentLog } from "../../telemetry/log.ts"
import { claimant, openClaim } from "./claim.ts"

const { seconds: claimSeconds } = claimant({ processId: "ours" })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A session whose claim is granted; what was asked of it. */
function openSession() {
  const asked: string[] = []
  const state = { isOurs: true, isDown: false }
  const answer = (what: string) => {
    asked.push(what)
    if (state.isDown) throw new Error("The database is gone")
  }
  const store = {
    claim: async (revision: number) => {
      answer(`claim ${revision}`)
      return state.isOurs ? revision + 1 : undefined
    },
    renew: async (revision: number) => {
      answer(`renew ${revision}`)
      return state.isOurs
    },
    release: async (revision: number) => answer(`release ${revision}`),
  }
  return { claim: openClaim(store, 4, { log: silentLog() }), asked, state }
}

test("it is renewed as long as the turn runs, more than twice as often as it must be", async () => {
  const { claim, asked } = openSession()
  expect(await claim.ensure()).toBe(true)
  expect(claim.revision()).toBe(5)
  await vi.advanceTimersByTimeAsync(claimSeconds * 1_000)
  expect(asked.length).toBeGreaterThan(3)
  expect(asked).toEqual(["claim 4", ...asked.slice(1).map(() => "renew 5")])
  claim.end()
  const { length } = asked
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(length)
})

test("a turn that takes none asks nothing, and gives nothing up", async () => {
  const { claim, asked } = openSession()
  await vi.advanceTimersByTimeAsync(60_000)
  await claim.release()
  expect([asked, claim.isTaken(), claim.revision()]).toEqual([[], false, 4])
})

test("further effects cost no question while the claim is fresh, and one after a standstill", async () => {
  const { claim, asked } = openSession()
  await claim.ensure()
  expect(await claim.ensure()).toBe(true)
  expect(asked).toEqual(["claim 4"])
  // A process that stands still: its clock goes on, its timers do not.
  const now = performance.now()
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now + 60_000)
  expect(await claim.ensure()).toBe(true)
  expect(asked).toEqual(["claim 4", "renew 5"])
  clock.mockRestore()
  await claim.release()
  expect(asked.at(-1)).toBe("release 5")
})

test("one that was granted long ago by the time the answer comes is asked about first", async () => {
  const { claim, asked, state } = openSession()
  const now = performance.now()
  const clock = vi.spyOn(performance, "now").mockImplementationOnce(() => now)
  clock.mockImplementation(() => now + 60_000)
  // Another turn has taken the session while this process stood still.
  const taken = claim.ensure()
  state.isOurs = false
  expect(await taken).toBe(false)
  expect(asked).toEqual(["claim 4", "renew 5"])
  clock.mockRestore()
})

test("once it is lost the turn is told at once, and holds it no more", async () => {
  const { claim, asked, state } = openSession()
  await claim.ensure()
  state.isOurs = false
  await vi.advanceTimersByTimeAsync(claimSeconds * 1_000)
  expect(claim.lost.aborted).toBe(true)
  expect(asked).toEqual(["claim 4", "renew 5"])
  state.isOurs = true
  expect(await claim.ensure()).toBe(false)
})

test("a database that is gone for a moment is asked again soon", async () => {
  const { claim, asked, state } = openSession()
  await claim.ensure()
  state.isDown = true
  await vi.advanceTimersByTimeAsync(4_000)
  expect(asked.length).toBeGreaterThan(4)
  state.isDown = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(claim.lost.aborted).toBe(false)
  expect(await claim.ensure()).toBe(true)
  claim.end()
})

test("another turn that was first is no claim", async () => {
  const { claim, state } = openSession()
  state.isOurs = false
  expect(await claim.ensure()).toBe(false)
  expect(claim.isTaken()).toBe(false)
})

/**
 * Does heavy work where it holds up nobody: small flows at once, large ones on a thread, for which
 * their owners take turns.
 */
import { openPool } from "../../effects/sandbox/pool.ts"
import { measure, OutOfFuel, openFuel } from "../../engine/budget/fuel.ts"
import { unavailable } from "../../errors.ts"
import { type JobName, type Jobs, jobs } from "./jobs.ts"
import { startThread, type ThreadLimits } from "./thread.ts"

/** Does the jobs of `jobs.ts`. */
export type HeavyWork = {
  /** Does a job for an owner: a tenant, or a caller who looks at somebody else's bot. */
  run<Name extends JobName>(
    owner: string,
    name: Name,
    input: Parameters<Jobs[Name]>[0],
  ): Promise<ReturnType<Jobs[Name]>>
  /** Ends the thread; what waits for it is refused. */
  close(): void
}

/** Sending less than 64 kB to a thread takes longer than the work that is done there. */
const smallUnits = 8_000

const usualLimits: ThreadLimits = { maxMegabytes: 256, longestMs: 20_000 }

/** One thread is one core: the other is for chats. */
const usualPool = {
  places: 1,
  maxWaiting: 50,
  maxWaitMs: 30_000,
  warm: 0,
  warmMs: 0,
  idleMs: 10_000,
}

/** Opens it; the thread starts when it is needed. */
export function openHeavyWork(
  limits: ThreadLimits = usualLimits,
  options: Partial<typeof usualPool> = {},
): HeavyWork {
  const pool = openPool(() => startThread(limits), { ...usualPool, ...options })
  return {
    async run(owner, name, input) {
      type Result = ReturnType<Jobs[typeof name]>
      if (isSmall(input)) return jobs[name](input as never) as Result
      const done = await pool.use({ owner }, async (thread) => ({
        value: (await thread.do({ name, input })) as Result,
      }))
      if (done) return done.value
      throw unavailable("Too much work on large bots is waiting", 5)
    },
    close: () => pool.close(),
  }
}

function isSmall(input: unknown): boolean {
  try {
    measure(input, openFuel(smallUnits))
    return true
  } catch (error) {
    if (error instanceof OutOfFuel) return false
    throw error
  }
}

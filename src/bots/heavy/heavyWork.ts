/**
 * Does heavy work off the event loop: small flows at once, large ones on a thread, for which their owners
 * take turns.
 */
import { openPool, type PoolLimits } from "../../effects/sandbox/pool.ts"
import { createFuel, measure, OutOfFuel } from "../../engine/budget/fuel.ts"
import { unavailable } from "../../lib/errors.ts"
import type { Party } from "../../lib/party.ts"
import { type JobName, type Jobs, jobs } from "./heavyJobs.ts"
import { hadTooLittleTime, startThread, type Thread, type ThreadLimits } from "./heavyThread.ts"

export type HeavyWork = {
  run<Name extends JobName>(
    party: Party,
    name: Name,
    input: Parameters<Jobs[Name]>[0],
  ): Promise<ReturnType<Jobs[Name]>>
  /** Ends the threads; waiting work is refused. */
  close(): void
}

/** Sending less than 64 kB to a thread takes longer than the work. */
const smallUnits = 8_000

/** Ordinary work on the largest bots takes a third of the short time. */
const usualLimits = { maxMegabytes: 256, shortMs: 2_000, maxMs: 20_000 }

const idleTimes = { warm: 0, warmMs: 0, idleMs: 10_000 }

/** Opens it; the threads start when they are needed. */
export function openHeavyWork(
  limits: ThreadLimits & { shortMs?: number } = usualLimits,
  options: Partial<PoolLimits> = {},
): HeavyWork {
  const { maxMegabytes, maxMs, shortMs = maxMs } = limits
  const threads = (name: "shortHeavyWork" | "longHeavyWork", maxMs: number) => {
    const start = () => startThread({ maxMegabytes, maxMs: maxMs })
    return openPool(name, start, { ...idleTimes, ...options })
  }
  const short = threads("shortHeavyWork", shortMs)
  const long = threads("longHeavyWork", maxMs)
  return {
    async run(party, name, input) {
      type Result = ReturnType<Jobs[typeof name]>
      if (isSmall(input) && !judgesPatterns(name, input)) {
        return jobs[name](input as never) as Result
      }
      const work = async (thread: Thread) => ({
        value: (await thread.do({ name, input })) as Result,
      })
      // It restarts on the thread for long work, because it has no side effects.
      const begun = short.use({ party }, work).catch((error: unknown) => {
        if (shortMs < maxMs && hadTooLittleTime(error)) return long.use({ party }, work)
        throw error
      })
      const done = await begun
      if (done) return done.value
      throw unavailable("Too much work on large bots is waiting", 5)
    },
    close: () => {
      for (const pool of [short, long]) pool.close()
    },
  }
}

/**
 * The linter compiles regular expressions, a short one of which may make thousands of states, and reads code
 * several times.
 */
function judgesPatterns(name: JobName, input: unknown): boolean {
  if (name !== "lint" && name !== "lintDraft") return false
  return / regex"|\{\{=|"Code"|"isCode"/.test(JSON.stringify(input))
}

function isSmall(input: unknown): boolean {
  try {
    measure(input, createFuel(smallUnits))
    return true
  } catch (error) {
    if (error instanceof OutOfFuel) return false
    throw error
  }
}

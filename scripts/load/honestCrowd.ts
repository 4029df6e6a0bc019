/** Honest users in a process of their own, and what they met within a span of time. */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Target } from "../../test/support/siege/target.ts"
import { quantile } from "../drills/figures.ts"

/** What honest users met. */
export type Met = {
  answers: number
  p99Ms: number
  maxMs: number
  failures: number
  /** Longest time that /healthz took. */
  maxHealthMs: number
}

/** Users who chat all the time. */
export type HonestCrowd = {
  /** Counts the answers that were awaited at some time between these moments. */
  between(since: number, until: number): Met
  close(): void
}

type Sample = { since: number; until: number; status: number; isProbe?: boolean }

const maxSamples = 100_000

/** Starts them. */
export function openHonestCrowd(
  { address, honestPublicId }: Pick<Target, "address" | "honestPublicId">,
  { users, pauseMs }: { users: number; pauseMs: number },
): HonestCrowd {
  const file = fileURLToPath(new URL("./honestUsers.ts", import.meta.url))
  const given = [address, honestPublicId, String(users), String(pauseMs)]
  const child = fork(file, given, { execArgv: ["--import", "tsx"], stdio: "inherit" })
  let samples: Sample[] = []
  child.on("message", (sample) => {
    samples.push(sample as Sample)
    if (samples.length > maxSamples) samples = samples.slice(-maxSamples / 2)
  })
  return {
    between(since, until) {
      const met = samples.filter((sample) => sample.since <= until && sample.until >= since)
      const own = met.filter(({ isProbe }) => !isProbe)
      const probes = met.filter(({ isProbe }) => isProbe)
      const times = timesOf(own, since, until)
      return {
        answers: own.length,
        p99Ms: Math.max(times[0] ?? 0, quantile(times, 0.99)),
        maxMs: Math.max(...times),
        failures: own.filter(({ status }) => status === 0 || status >= 500).length,
        maxHealthMs: Math.max(...timesOf(probes, since, until)),
      }
    },
    close: () => {
      if (child.connected) child.disconnect()
    },
  }
}

/** Wait times. The first is the silence at the end, in case no caller is answered any more. */
function timesOf(samples: readonly Sample[], since: number, until: number): number[] {
  const silenceMs = Math.max(0, until - Math.max(since, ...samples.map((sample) => sample.until)))
  return [silenceMs, ...samples.map((sample) => sample.until - sample.since)]
}

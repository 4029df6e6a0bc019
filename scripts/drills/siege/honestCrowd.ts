/** Honest users in a process of their own, and what they met within a span of time. */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { quantile } from "../figures.ts"
import type { Target } from "./target.ts"

/** What honest users met. */
export type Met = { answers: number; p99Ms: number; longestMs: number; failures: number }

/** Users who chat all the time. */
export type HonestCrowd = {
  /** Of the answers that were awaited at some time between these moments. */
  between(since: number, until: number): Met
  close(): void
}

type Sample = { since: number; until: number; status: number }

const mostSamples = 100_000

/** Starts them. */
export function openHonestCrowd(
  { address, honestPublicId }: Target,
  { users, pauseMs }: { users: number; pauseMs: number },
): HonestCrowd {
  const file = fileURLToPath(new URL("honestUsers.ts", import.meta.url))
  const given = [address, honestPublicId, String(users), String(pauseMs)]
  const child = fork(file, given, { execArgv: ["--import", "tsx"], stdio: "inherit" })
  let samples: Sample[] = []
  child.on("message", (sample) => {
    samples.push(sample as Sample)
    if (samples.length > mostSamples) samples = samples.slice(-mostSamples / 2)
  })
  return {
    between(since, until) {
      const own = samples.filter((sample) => sample.since <= until && sample.until >= since)
      const times = own.map((sample) => sample.until - sample.since)
      // Where nobody was answered any more, everybody waited for so long at least.
      const silenceMs = Math.max(0, until - Math.max(since, ...own.map((sample) => sample.until)))
      return {
        answers: own.length,
        p99Ms: Math.max(silenceMs, times.length > 0 ? quantile(times, 0.99) : 0),
        longestMs: Math.max(silenceMs, ...times),
        failures: own.filter(({ status }) => status === 0 || status >= 500).length,
      }
    },
    close: () => {
      if (child.connected) child.disconnect()
    },
  }
}

/** Carries one attack out against the product, watches it and judges what happened. */
import { readFile, writeFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { ask, type Got, maxAttackMs } from "../../test/support/siege/ask.ts"
import { type Attack, inWords } from "../../test/support/siege/attack.ts"
import { Refusal, type Target } from "../../test/support/siege/target.ts"
import { megabytesOf } from "../drills/product.ts"
import type { Stack } from "../drills/stack.ts"
import type { HonestCrowd, Met } from "./honestCrowd.ts"

/** A running product, and what attacks need in it. */
export type House = { stack: Stack; target: Target }

/** The outcome of an attack. */
export type Outcome = {
  attack: Attack
  /** How many ran at once. */
  times: number
  /** The different answers that the attackers got. */
  got: string
  maxMs: number
  met: Met
  peakMegabytes: number
  /** What is wrong, in sentences. */
  wrong: string[]
  /** Only times are wrong, perhaps because of other work on the machine. */
  isMerelySlow: boolean
  /** Whether the next attack would suffer from this one. */
  isBroken: boolean
}

/** What honest users may notice of an attack at most. */
const limits = { p99Ms: 250, residentMegabytes: 400, healthMs: 1_000 }
/** While members try their own drafts, whose calls may take half a second of the only thread. */
const membersP99Ms = 750
/** Honest users are watched for so long at least. */
const minWatchMs = 700
const maxWorkMs = 2 * maxAttackMs

/** Carries an attack out so many times at once. */
export async function besiege(
  { stack, target }: House,
  honest: HonestCrowd,
  { attack, times }: { attack: Attack; times: number },
): Promise<Outcome> {
  const { child, pid } = stack.process()
  await forgetPeak(pid)
  const since = Date.now()
  const [got] = await Promise.all([
    Promise.all(Array.from({ length: times }, (_, nth) => attempt(target, attack, nth))),
    sleep(minWatchMs),
  ])
  const peakMegabytes = await peakMegabytesOf(pid)
  const until = Date.now()
  // Honest requests of that time are still on their way.
  await sleep(Math.min(500, longestOf(got) / 4))
  const met = honest.between(since, until)
  const isDead = child.exitCode !== null || child.signalCode !== null
  const seen = { attack, got, met, peakMegabytes }
  const slow = slownessOf(seen)
  const graver = [...wrongsOf(seen), ...(isDead ? ["the process died"] : [])]
  const isBroken = isDead || !(await isWell(target)) || peakMegabytes >= limits.residentMegabytes
  const words = [...new Set(got.map(inWords))].join(", ")
  return {
    attack,
    times,
    got: words,
    maxMs: longestOf(got),
    met,
    peakMegabytes,
    wrong: [...graver, ...slow],
    isMerelySlow: slow.length > 0 && graver.length === 0,
    isBroken,
  }
}

/** Never rejects, and gives up on attacks that do not end. */
async function attempt(target: Target, attack: Attack, nth: number): Promise<Got> {
  const late = sleep(maxWorkMs, undefined, { ref: false }).then(() => none("given up"))
  try {
    return await Promise.race([attack.run(target, nth), late])
  } catch (error) {
    return error instanceof Refusal ? error.got : none(String(error))
  }
}

const none = (text: string): Got => ({ status: 0, bytes: 0, milliseconds: maxWorkMs, text })

type Seen = { attack: Attack; got: readonly Got[]; met: Met; peakMegabytes: number }

function wrongsOf({ attack, got, met: { answers, failures }, peakMegabytes }: Seen): string[] {
  const wrongs = [
    ...new Set(got.map((each) => attack.judge(each)?.slice(0, 120))),
    answers === 0 ? "honest users got no answers" : undefined,
    failures > 0 ? `${failures} honest failures` : undefined,
    peakMegabytes >= limits.residentMegabytes ? `${peakMegabytes} MB resident` : undefined,
  ]
  return wrongs.filter((each) => each !== undefined)
}

function slownessOf({ attack, met }: Seen): string[] {
  const { p99Ms, maxMs, maxHealthMs } = met
  const limitMs = attack.door === "preview with token" ? membersP99Ms : limits.p99Ms
  const wrongs = [
    p99Ms >= limitMs ? `honest p99 ${p99Ms} ms (longest ${maxMs})` : undefined,
    maxHealthMs >= limits.healthMs ? `/healthz ${maxHealthMs} ms` : undefined,
  ]
  return wrongs.filter((each) => each !== undefined)
}

async function isWell({ address }: Target): Promise<boolean> {
  return (await ask(address, { path: "/healthz", timeoutMs: 2_000 })).status === 200
}

function longestOf(got: readonly Got[]): number {
  return Math.max(0, ...got.map(({ milliseconds }) => milliseconds))
}

/** Linux remembers the most memory that a process held, until that is cleared. */
async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, "5").catch(() => {})
}

/** In megabytes; elsewhere what is held now. 0: the process is gone. */
async function peakMegabytesOf(pid: number): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8")
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024)
  } catch {
    return process.platform === "linux" ? 0 : megabytesOf(pid)
  }
}

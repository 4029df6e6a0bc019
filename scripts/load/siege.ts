/**
 * Attacks the product at every door while honest users chat with it, and judges what they notice:
 * p99 under 250 ms, no failures, less than 400 MB, /healthz within a second, and no attacker served.
 * `npx tsx scripts/load.ts siege [--only pattern] [--rounds 1] [--seed 1] [--list]`; the pattern chooses
 * among the lines that `--list` prints, the seed shuffles, and a second round sends several at once.
 * Ends with 1 when anything is wrong.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Attack } from "../../test/support/siege/attack.ts"
import { allAttacks } from "../../test/support/siege/attacks/all.ts"
import { openTarget } from "../../test/support/siege/openTarget.ts"
import { openUpstream } from "../../test/support/siege/upstream.ts"
import { openSource, shuffled } from "../drills/draw.ts"
import { numberGiven, token } from "../drills/product.ts"
import { openStack } from "../drills/stack.ts"
import { besiege, type Outcome } from "./besiege.ts"
import { openHonestCrowd } from "./honestCrowd.ts"

const rounds = numberGiven("rounds", 2)
const seed = numberGiven("seed", 0)
const users = numberGiven("users", 16)
const pauseMs = numberGiven("pause", 50)
const usualCrowd = 4
/** An attack fails when it is too slow so many times: other work on the machine delays everybody as well. */
const tries = 3
const calmMs = 1_000
const maxCalmMs = 30_000

const onlyAt = process.argv.indexOf("--only")
const only = new RegExp((onlyAt >= 0 && process.argv[onlyAt + 1]) || "")
const matching = allAttacks.filter(({ name, door }) => only.test(`${door}: ${name}`))
const chosen = seed === 0 ? matching : shuffled(matching, openSource(seed).random)
if (process.argv.includes("--list")) {
  for (const { name, door } of chosen) console.log(`${door}: ${name}`)
  process.exit()
}
if (chosen.length === 0) throw new Error("No attack matches --only. See --list.")

// Settings are the usual ones, but for what lets one machine be many attackers and their server.
const stack = await openStack({
  variables: {
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
    PARLEY_RATE_LIMITS: "default",
    PARLEY_TRUSTED_PROXIES: "1",
  },
})
const upstream = await openUpstream()
const { address } = stack.process()
const target = await openTarget({ address, token, databaseUrl: stack.databaseUrl(), upstream })
const honest = openHonestCrowd(target, { users, pauseMs })
const outcomes: Outcome[] = []
let closing: Promise<void> | undefined
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void close().finally(() => process.exit(1)))
}
try {
  await calm()
  for (const attack of chosen) await attackOf(attack)
  report()
} finally {
  await close()
}
process.exit(outcomes.some(({ wrong }) => wrong.length > 0) ? 1 : 0)

/** Closes everything once, however often it is called. */
function close(): Promise<void> {
  honest.close()
  upstream.close()
  closing ??= stack.close()
  return closing
}

/** Waits until honest users are served as usual: a fresh process is slower. */
async function calm(): Promise<void> {
  for (let waited = 0; waited < maxCalmMs; waited += calmMs) {
    await sleep(calmMs)
    const now = Date.now()
    const { answers, failures, maxHealthMs } = honest.between(now - calmMs, now)
    if (answers >= users && failures === 0 && maxHealthMs < calmMs) return
  }
}

/** Carries it out once, and then several times at once unless it has already done harm. */
async function attackOf(attack: Attack): Promise<void> {
  const { crowd = usualCrowd } = attack
  for (const times of rounds > 1 && crowd > 1 ? [1, crowd] : [1]) {
    let outcome = await attempt(attack, times)
    for (let again = 1; outcome.isMerelySlow && again < tries; again++) {
      outcome = await attempt(attack, times)
    }
    outcomes.push(outcome)
    if (outcome.wrong.length > 0) return
  }
}

async function attempt(attack: Attack, times: number): Promise<Outcome> {
  const outcome = await besiege({ stack, target }, honest, { attack, times })
  console.log(line(outcome))
  if (outcome.isBroken) {
    await stack.restartProcess()
    await calm()
  }
  return outcome
}

function report(): void {
  const wrong = outcomes.filter((each) => each.wrong.length > 0)
  const names = new Set(chosen.filter(({ isControl }) => !isControl).map(({ name }) => name))
  const controls = chosen.filter(({ isControl }) => isControl).length
  console.log(`${names.size} attacks at ${chosen.length - controls} doors, ${controls} controls`)
  console.log(`${outcomes.length} runs, ${wrong.length} wrong`)
}

function line({ attack, times, got, maxMs, met, peakMegabytes, wrong }: Outcome): string {
  const name = attack.isControl ? `(${attack.name})` : attack.name
  const [attackMs, p99Ms, honestMs] = [maxMs, met.p99Ms, met.maxMs].map(Math.round)
  const figures = `${attackMs} ms, honest p99 ${p99Ms} ms, longest ${honestMs} ms, ${peakMegabytes} MB`
  const verdict = wrong.length > 0 ? `: WRONG: ${wrong.join("; ")}` : ""
  return `${attack.door}: ${name} x${times}: ${got} in ${figures}${verdict}`
}

/**
 * Attacks the product at every door while honest users chat with it, and judges what they notice:
 * p99 under 250 ms, no failures, less than 400 MB, /healthz within a second, and no attacker served.
 * `npx tsx scripts/load.ts siege [--only name] [--door name] [--rounds 1] [--seed 1] [--list]`; the seed
 * shuffles, a second round sends several at once. Ends with 1 when anything is wrong.
 */
import { setTimeout as sleep } from "node:timers/promises"
import type { Attack } from "../../test/support/siege/attack.ts"
import { allAttacks } from "../../test/support/siege/attacks/all.ts"
import { openSource } from "../drills/draw.ts"
import { numberGiven } from "../drills/product.ts"
import { besiege, type Outcome } from "./besiege.ts"
import { openHonestCrowd } from "./honestCrowd.ts"
import { openHouse } from "./house.ts"

const rounds = numberGiven("rounds", 2)
const seed = numberGiven("seed", 0)
const users = numberGiven("users", 16)
const pauseMs = numberGiven("pause", 50)
const usualCrowd = 4
/** How often what is merely slow may be so: other work on the machine delays everybody as well. */
const tries = 3
const calmMs = 1_000
const longestCalmMs = 30_000
/** Widths of the table. */
const columns = [44, 19, 3, 30, 7, 7, 7, 6] as const

const chosen = inOrder(
  allAttacks.filter(
    ({ name, door }) => name.includes(textGiven("only")) && door.includes(textGiven("door")),
  ),
)
if (process.argv.includes("--list")) {
  for (const { name, door } of chosen) console.log(`${door}: ${name}`)
  process.exit()
}
if (chosen.length === 0) throw new Error("No attack has such a name at such a door. See --list.")

const house = await openHouse()
const honest = openHonestCrowd(house.target, { users, pauseMs })
const outcomes: Outcome[] = []
let closing: Promise<void> | undefined
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => void close().finally(() => process.exit(1)))
}
try {
  await calm()
  console.log(headline())
  for (const attack of chosen) await attackOf(attack)
  report()
} finally {
  await close()
}
process.exit(outcomes.some(({ wrong }) => wrong.length > 0) ? 1 : 0)

/** Once, however many ask for it. */
function close(): Promise<void> {
  honest.close()
  closing ??= house.close()
  return closing
}

/** Until honest users are served as usual: a fresh process is slower. */
async function calm(): Promise<void> {
  for (let waited = 0; waited < longestCalmMs; waited += calmMs) {
    await sleep(calmMs)
    const now = Date.now()
    const { answers, failures, longestHealthMs } = honest.between(now - calmMs, now)
    if (answers >= users && failures === 0 && longestHealthMs < calmMs) return
  }
}

/** Once, and then several times at once unless it succeeded already. */
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
  const outcome = await besiege(house, honest, { attack, times })
  console.log(line(outcome))
  if (outcome.isBroken) {
    await house.restart()
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

function headline(): string {
  return row(["attack", "door", "×", "got", "ms", "p99", "longest", "MB"], "")
}

function line({ attack, times, got, longestMs, met, watched, wrong }: Outcome): string {
  const name = attack.isControl ? `(${attack.name})` : attack.name
  const figures = [longestMs, met.p99Ms, met.longestMs, watched.peakMegabytes].map((figure) =>
    String(Math.round(figure)),
  )
  const cells = [name, attack.door, String(times), got, ...figures]
  return row(cells, wrong.length > 0 ? `WRONG: ${wrong.join("; ")}` : "")
}

function row(cells: readonly string[], note: string): string {
  const padded = cells.map((cell, index) => {
    const width = columns[index] ?? 0
    return index < 4 ? cell.slice(0, width).padEnd(width) : cell.padStart(width)
  })
  return [...padded, note].join(" ").trimEnd()
}

function textGiven(name: string): string {
  const index = process.argv.indexOf(`--${name}`)
  return index < 0 ? "" : (process.argv[index + 1] ?? "")
}

function inOrder(attacks: readonly Attack[]): readonly Attack[] {
  if (seed === 0) return attacks
  const source = openSource(seed)
  return attacks
    .map((attack) => ({ attack, place: source.random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ attack }) => attack)
}

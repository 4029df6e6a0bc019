/**
 * One stranger with twelve addresses and one author with twelve workspaces take all that is shared in a
 * process at once (`src/lib/shares.ts`), and send the dearest requests besides, while eight people chat on a
 * default installation. `npx tsx scripts/load.ts shares [--seconds 30] [--users 8] [--rest 20] [--only pattern]`
 * prints what the eight people met. Ends with 1 unless their p99 after the first seconds is under 250 ms, the process
 * under 600 MB, and each attack gets the answers that `shareAttacks.ts` allows it, at least one of them.
 */
import { setMaxListeners } from "node:events"
import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask } from "../../test/support/siege/ask.ts"
import { block, flowOf, idOf, say } from "../../test/support/siege/flow.ts"
import { openTarget } from "../../test/support/siege/openTarget.ts"
import { openUpstream } from "../../test/support/siege/upstream.ts"
import { numberGiven, token } from "../drills/product.ts"
import { openStack } from "../drills/stack.ts"
import { openHonestCrowd } from "./honestCrowd.ts"
import { type Attack, attacksOf, type GreedyBots } from "./shareAttacks.ts"

const seconds = numberGiven("seconds", 30)
const users = numberGiven("users", 8)
const limits = { p99Ms: 250, megabytes: 600 }
const twelve = Array.from({ length: 12 }, (_, index) => index)
/** Pause of an attacker between an answer and the next request. */
const restMs = numberGiven("rest", 20)
/** All 240 attackers begin at once. */
const onsetSeconds = 5

const stack = await openStack({
  // One machine stands for all addresses.
  variables: {
    PARLEY_RATE_LIMITS: "default",
    PARLEY_TRUSTED_PROXIES: "1",
    // Of the server that scripts make requests to.
    PARLEY_ALLOW_HOSTS: "127.0.0.1",
  },
})
const upstream = await openUpstream()
const { address, pid } = stack.process()
const target = await openTarget({ address, token, databaseUrl: stack.databaseUrl(), upstream })
const author = await makeAuthor()
const bots: GreedyBots[] = []
for (const nth of twelve) bots.push(await makeBots(nth))
const { publicId: honestPublicId } = await target.publish("honest", honestFlow)
const honest = openHonestCrowd({ address, honestPublicId }, { users, pauseMs: 100 })
const statuses = new Map<string, Map<number, number>>()

await sleep(5_000)
const quiet = await watch(10)
const stopping = new AbortController()
// Every connection that is held listens.
setMaxListeners(0, stopping.signal)
const attacks = attacksOf({ address, author, bots, small: greedyFlow("small", 1) })
const onlyAt = process.argv.indexOf("--only")
const only = new RegExp((onlyAt >= 0 && process.argv[onlyAt + 1]) || "")
const chosen = Object.entries(attacks).filter(([name]) => only.test(name))
const running = chosen.flatMap(([name, attack]) => twelve.map((nth) => repeat(name, attack, nth)))
const onset = await watch(onsetSeconds)
const besieged = await watch(Math.max(1, seconds - onsetSeconds))
stopping.abort()
honest.close()
await Promise.race([Promise.all(running), sleep(40_000)])
upstream.close()
await stack.close()

console.log(`quiet: ${words(quiet)}`)
console.log(`first ${onsetSeconds} s: ${words(onset)}`)
console.log(`besieged: ${words(besieged)}`)
for (const [name, attack] of chosen) {
  const counts = statuses.get(name) ?? new Map<number, number>()
  const each = [...counts].map(([status, count]) => `${status}: ${count}`).join(", ")
  console.log(`  ${name}: ${each || "no answer"}${isAllowed(attack, counts) ? "" : ": WRONG"}`)
}
const broken = chosen.some(([name, attack]) => !isAllowed(attack, statuses.get(name) ?? new Map()))
const { met, megabytes } = besieged
const isWell =
  met.p99Ms < limits.p99Ms && met.failures === 0 && megabytes < limits.megabytes && !broken
process.exit(isWell ? 0 : 1)

type Watched = { met: ReturnType<typeof honest.between>; megabytes: number }

/** What honest users meet for so long, and the most memory that the process has held. */
async function watch(forSeconds: number): Promise<Watched> {
  const since = Date.now()
  await sleep(forSeconds * 1_000)
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  const megabytes = Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024)
  return { met: honest.between(since, Date.now()), megabytes }
}

function words({ met, megabytes }: Watched): string {
  const { answers, failures, p99Ms, maxMs, maxHealthMs } = met
  const times = `p99 ${p99Ms} ms, longest ${maxMs} ms, /healthz ${maxHealthMs} ms`
  return `${answers} answers, ${failures} failures, ${times}, ${megabytes} MB at most`
}

/** Each attack reaches what it attacks, and gets no other answers than those that are allowed. */
function isAllowed({ reaches, refusals }: Attack, counts: ReadonlyMap<number, number>): boolean {
  const all = [...counts.keys()]
  return counts.has(reaches) && all.every((status) => [reaches, ...refusals].includes(status))
}

async function repeat(name: string, attack: Attack, nth: number): Promise<void> {
  while (!stopping.signal.aborted) {
    const status = await attack.send(nth, stopping.signal)
    if (stopping.signal.aborted && status === 0) return
    const counts = statuses.get(name) ?? new Map<number, number>()
    statuses.set(name, counts.set(status, (counts.get(status) ?? 0) + 1))
    await sleep(restMs)
  }
}

async function makeAuthor(): Promise<string> {
  const database = await openDatabase({ url: stack.databaseUrl(), poolSize: 1 })
  try {
    const account = await createAccount(database, {
      email: "greedy@example.com",
      plan: "UNLIMITED",
    })
    return account.token
  } finally {
    await database.close()
  }
}

async function call(method: string, path: string, body: object) {
  const asked = { method, path: `/api/v1${path}`, token: author, body, timeoutMs: 60_000 }
  const { status, text } = await ask(address, asked)
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as { workspace: { id: string }; bot: { id: string } }
}

/** Bots in a workspace of their own: with a script that never ends, one that waits for an answer, a long text. */
async function makeBots(nth: number): Promise<GreedyBots> {
  const { workspace } = await call("POST", "/workspaces", { name: `Workspace ${nth}` })
  const make = async (flow: object) => {
    const sent = { workspaceId: workspace.id, bot: flow }
    const { id } = (await call("POST", "/bots/import", sent)).bot
    const publicId = `greedy-${id}`
    await call("PATCH", `/bots/${id}`, { bot: { publicId } })
    await call("POST", `/bots/${id}/publish`, {})
    return { id, publicId }
  }
  const fetches = `await fetch("${upstream.url}/endless")`
  const asks = block("text input", { variableId: idOf("Said") })
  const names = { names: ["Said"] }
  return {
    looping: await make(greedyFlow(`of ${nth}`)),
    fetching: await make(flowOf([block("Code", { content: fetches }), asks], names)),
    talkative: await make(flowOf([say("a".repeat(20_000)), asks], names)),
  }
}

/** What honest people talk to: it runs a short script at each turn. */
function honestFlow(): object {
  const script = { isCode: true, expressionToEvaluate: "String(Said).toUpperCase()" }
  return flowOf(
    [
      say("Say something"),
      { ...block("text input", { variableId: idOf("Said") }), id: "asks" },
      block("Set variable", { variableId: idOf("Loud"), ...script }),
      { ...say("You said {{Loud}}"), id: "last", outgoingEdgeId: "back" },
    ],
    { names: ["Said", "Loud"] },
  )
}

/** Fills itself with words, so that work on it goes to the thread for large bots. */
function greedyFlow(name: string, size = 1_000) {
  const loop = "for (;;) {}"
  return flowOf(
    [
      block("Code", { content: loop, isExecutedOnClient: false }),
      ...Array.from({ length: size }, (_, index) => say(`${name} ${index} ${"x".repeat(200)}`)),
      { ...block("text input", { variableId: idOf("Said") }) },
    ],
    { names: ["Said"] },
  )
}

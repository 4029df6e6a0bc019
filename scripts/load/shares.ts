/**
 * One stranger with twelve addresses and one author with twelve workspaces take all that is shared in a
 * process at once (`src/shares.ts`), and send the dearest requests besides, while eight people chat on a
 * default installation. `npx tsx scripts/load.ts shares [--seconds 30] [--users 8] [--only pattern]` prints what came of it.
 * Ends with 1 unless honest p99 is under 250 ms, the process under 600 MB, and no answer a 5xx but 503.
 */
import { readFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { openDatabase } from "../../src/db/connection/open.ts"
import { createAccount } from "../../src/routers/user/accounts.ts"
import { type Asked, ask } from "../../test/support/siege/ask.ts"
import { block, flowOf, idOf, say } from "../../test/support/siege/flow.ts"
import { openTarget } from "../../test/support/siege/openTarget.ts"
import { openUpstream } from "../../test/support/siege/upstream.ts"
import { numberGiven, token } from "../drills/product.ts"
import { openStack } from "../drills/stack.ts"
import { openHonestCrowd } from "./honestCrowd.ts"

const seconds = numberGiven("seconds", 30)
const users = numberGiven("users", 8)
const limits = { p99Ms: 250, megabytes: 600 }
const twelve = Array.from({ length: 12 }, (_, index) => index)
const restMs = 20

const stack = await openStack({
  // One machine stands for all addresses.
  variables: { PARLEY_RATE_LIMITS: "default", PARLEY_TRUSTED_PROXIES: "1" },
})
const upstream = await openUpstream()
const { address, pid } = stack.process()
const target = await openTarget({ address, token, databaseUrl: stack.databaseUrl(), upstream })
const author = await makeAuthor()
const bots = await Promise.all(twelve.map(makeBot))
const { publicId: honestPublicId } = await target.publish("honest", honestFlow)
const honest = openHonestCrowd({ address, honestPublicId }, { users, pauseMs: 100 })
const statuses = new Map<string, Map<number, number>>()

await sleep(5_000)
const quiet = await watch(10)
const stopping = new AbortController()
const attacks = attacksOf()
const onlyAt = process.argv.indexOf("--only")
const only = new RegExp((onlyAt >= 0 && process.argv[onlyAt + 1]) || "")
const chosen = Object.entries(attacks).filter(([name]) => only.test(name))
const running = chosen.flatMap(([name, make]) => twelve.map((nth) => repeat(name, () => make(nth))))
const besieged = await watch(seconds)
stopping.abort()
honest.close()
await Promise.race([Promise.all(running), sleep(40_000)])
upstream.close()
await stack.close()

console.log(`quiet: ${words(quiet)}`)
console.log(`besieged: ${words(besieged)}`)
for (const [name, counts] of statuses) {
  const each = [...counts].map(([status, count]) => `${status}: ${count}`).join(", ")
  console.log(`  ${name}: ${each}`)
}
const broken = [...statuses.values()].some((counts) =>
  [...counts.keys()].some((status) => status >= 500 && status !== 503),
)
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
  const { answers, failures, p99Ms, longestMs, longestHealthMs } = met
  const times = `p99 ${p99Ms} ms, longest ${longestMs} ms, /healthz ${longestHealthMs} ms`
  return `${answers} answers, ${failures} failures, ${times}, ${megabytes} MB at most`
}

async function repeat(name: string, make: () => Asked): Promise<void> {
  while (!stopping.signal.aborted) {
    const { status } = await ask(address, make())
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

/** A bot in a workspace of its own whose script never ends, and whose pattern is dear. */
async function makeBot(nth: number) {
  const { workspace } = await call("POST", "/workspaces", { name: `Workspace ${nth}` })
  const bot = greedyFlow(`of ${nth}`)
  const imported = await call("POST", "/bots/import", { workspaceId: workspace.id, bot })
  const { id } = imported.bot
  const publicId = `greedy-${id}`
  await call("PATCH", `/bots/${id}`, { bot: { publicId } })
  await call("POST", `/bots/${id}/publish`, {})
  return { id, publicId, workspaceId: workspace.id }
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

/** What one of twelve does again and again, by what it is meant to fill. */
function attacksOf(): Record<string, (nth: number) => Asked> {
  const from = (nth: number) => ({ headers: { "x-forwarded-for": `192.0.2.${nth + 1}` } })
  const botOf = (nth: number) => bots[nth] ?? { id: "", publicId: "", workspaceId: "" }
  const small = greedyFlow("small", 1)
  const zeros = JSON.stringify({ bot: { ...small, variables: Array(100_000).fill(0) } })
  const tests = "bot: b\nconversation:\n- { user: x }\n"
  const batch = Array(20).fill("catalogue.list").join(",")
  const message = {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
  }
  return {
    "scripts of the author": (nth) => ({
      path: `/api/v1/bots/${botOf(nth).publicId}/startChat`,
      body: {},
      ...from(nth),
    }),
    "scripts of strangers": (nth) => ({
      path: `/api/v1/bots/any/preview/startChat`,
      body: { bot: small },
      ...from(nth),
    }),
    "work on large bots": (nth) => ({
      path: "/api/v1/bots/lint",
      body: { botId: botOf(nth).id },
      token: author,
    }),
    "tests of drafts": (nth) => ({
      path: `/api/v1/bots/${botOf(nth).id}/test`,
      body: { file: tests },
      token: author,
    }),
    "wrong values": (nth) => ({
      path: `/api/v1/bots/any/preview/startChat`,
      body: zeros,
      ...from(nth),
    }),
    "public answers in a batch": (nth) => ({
      path: `/api/trpc/${batch}?batch=1&input=%7B%7D`,
      ...from(nth),
    }),
    assistants: () => ({
      path: "/mcp",
      body: message,
      token: author,
      headers: { accept: "application/json, text/event-stream" },
    }),
    "dates at the end of time": (nth) => ({
      path: `/api/v1/bots/${botOf(nth).id}/analytics?from=9999-12-31T23:59:59.999Z`,
      token: author,
    }),
    "sign-ins that were not begun": (nth) => ({
      path: "/signIn/openId/callback?code=x&state=y",
      ...from(nth),
    }),
  }
}

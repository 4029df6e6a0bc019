/**
 * Sends requests made from openapi.json to a service that it starts, and judges every answer: no 5xx
 * but 503, JSON, valid against its documented schema. `npx tsx scripts/fuzz.ts [--requests 20000]
 * [--seed 1] [--users 8]`; ends with 1 on any discrepancy.
 */
import { readFile } from "node:fs/promises"
import { Agent, request as open } from "node:http"
import { join } from "node:path"
import { newToken } from "../src/routers/apiTokens.ts"
import { openSource } from "./drills/draw.ts"
import { type Answer, openJudge } from "./drills/judge.ts"
import { copyProduct, megabytesOf, numberGiven, type Run, startProduct } from "./drills/product.ts"
import { type Known, type OpenApi, openRequests, type Request } from "./drills/requests.ts"

const count = numberGiven("requests", 20_000)
const seed = numberGiven("seed", 1)
const users = numberGiven("users", 8)
const answerTimeoutMs = 30_000
/** Fresh things are made this often, because requests delete what they find. */
const refreshEvery = 400

const token = newToken()
const agent = new Agent({ keepAlive: true, maxSockets: users + 1 })
const known: Known = new Map()
const statuses = new Map<string, number>()
const successes = new Map<string, number>()
const discrepancies = new Map<string, { times: number; example: string }>()

const { folder, remove } = await copyProduct()
try {
  const run = await startProduct(folder, {
    PARLEY_BOOTSTRAP_EMAIL: "fuzz@example.com",
    PARLEY_BOOTSTRAP_TOKEN: token,
    PARLEY_DEFAULT_PLAN: "UNLIMITED",
    PARLEY_RATE_LIMITS: "off",
    PARLEY_TURN_TIMEOUT_MS: "5000",
  })
  await fuzz(run)
  run.child.kill("SIGTERM")
  await run.ended
} finally {
  await remove()
}
process.exit(discrepancies.size > 0 ? 1 : 0)

async function fuzz(run: Run): Promise<void> {
  const text = await readFile(join(folder, "openapi.json"), "utf8")
  const judge = openJudge(JSON.parse(text))
  const document = JSON.parse(text) as OpenApi
  const next = openRequests(document, { source: openSource(seed), known, token })
  await refresh(run)
  const before = megabytesOf(run.pid)
  const startedAt = Date.now()
  let sent = 0
  let judged = 0
  const user = async () => {
    while (sent < count) {
      sent += 1
      if (sent % refreshEvery === 0) await refresh(run)
      const request = next()
      const answer = await send(run, request)
      add(statuses, `${request.kind}: ${answer.status || "none"}`)
      const wrong = answer.status === 0 ? answer.text : judge(request.operation, answer)
      if (wrong !== undefined) note(request, answer, wrong)
      else if (answer.status === 200) learn(request, answer)
      if (answer.status === 200) add(successes, request.operationId)
      judged += 1
      if (judged % 1_000 === 0) {
        const memory = `${Math.round(megabytesOf(run.pid))} MB resident`
        console.error(`${judged} requests, ${discrepancies.size} discrepancies, ${memory}`)
      }
    }
  }
  await Promise.all(Array.from({ length: users }, user))
  report(run, { before, seconds: (Date.now() - startedAt) / 1000 })
}

function report(run: Run, { before, seconds }: { before: number; seconds: number }): void {
  for (const { times, example } of discrepancies.values()) console.log(`${times} x ${example}\n`)
  for (const [name, times] of [...statuses].toSorted()) console.log(`${name}  ${times}`)
  const done = [...successes].toSorted().map(([name, times]) => `${name} ${times}`)
  console.log(`answered with 200: ${done.join(", ")}`)
  const after = megabytesOf(run.pid)
  console.log(`${count} requests with seed ${seed} in ${Math.round(seconds)} s`)
  console.log(`memory: ${before} MB before, ${after} MB after`)
  console.log(`${discrepancies.size} kinds of discrepancies`)
  if (discrepancies.size > 0) console.log(run.log().slice(-5_000))
}

/** A request's answer; status 0: there was none, and the text tells why. */
function send(run: Run, { method, path, headers, body }: Omit<Request, "kind">): Promise<Answer> {
  const length = body === undefined ? 0 : Buffer.byteLength(body)
  const sent = body === undefined ? headers : { ...headers, "content-length": String(length) }
  return new Promise((resolve) => {
    const none = (text: string) => resolve({ status: 0, contentType: "", text })
    const options = { agent, method, headers: sent, timeout: answerTimeoutMs }
    const outgoing = open(run.address + path, options, (response) => {
      const chunks: Buffer[] = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", (error) => none(String(error)))
      response.on("end", () => {
        const { statusCode: status = 0, headers: got } = response
        const text = Buffer.concat(chunks).toString()
        resolve({ status, contentType: got["content-type"] ?? "", text })
      })
    })
    outgoing.on("timeout", () => {
      outgoing.destroy()
      none("no answer in time")
    })
    outgoing.on("error", (error) => none(String(error)))
    outgoing.end(body)
  })
}

function note(request: Request, answer: Answer, wrong: string): void {
  const { operationId, kind, method, path, headers, body } = request
  const key = `${operationId} ${wrong.replace(/[\d"]+/g, "").slice(0, 80)}`
  const found = discrepancies.get(key)
  if (found) {
    found.times += 1
    return
  }
  const shown = [
    `${operationId} (${kind}): ${wrong.slice(0, 600)}`,
    `  ${method} ${path.slice(0, 300)}`,
    `  ${JSON.stringify({ ...headers, authorization: headers.authorization?.slice(0, 10) })}`,
    `  ${String(body ?? "").slice(0, 3_000)}`,
    `  -> ${answer.status} ${answer.text.slice(0, 600)}`,
  ]
  const example = shown.join("\n")
  discrepancies.set(key, { times: 1, example })
  console.error(example)
}

/** Remembers the ids that an answer brings. */
function learn({ operationId }: Request, { text }: Answer): void {
  const body = JSON.parse(text) as Record<string, unknown>
  const bot = body.bot as { id?: unknown } | undefined
  if (/^(importBot|createBot|updateBot)$/.test(operationId)) {
    keep("botId", bot?.id)
  }
  keep("sessionId", body.sessionId)
  keep("resultId", body.resultId)
  keep("credentialsId", body.credentialsId)
  keep("blockId", (body.input as { id?: unknown } | undefined)?.id)
  if (operationId === "createApiToken") keep("tokenId", (body.apiToken as { id: string }).id)
}

function keep(name: string, id: unknown): void {
  if (typeof id !== "string" || id === "") return
  const ids = known.get(name) ?? []
  known.set(name, [...ids.filter((each) => each !== id), id].slice(-20))
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Makes a workspace known and a bot that can be talked to. */
async function refresh(run: Run): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const text = body && JSON.stringify(body)
    const request = { operationId: "", operation: undefined, method, path, headers, body: text }
    return JSON.parse((await send(run, request)).text)
  }
  // Of its own, because the requests delete the others at any time.
  const { workspace } = await call("POST", "/api/v1/workspaces", { name: `Fuzz ${newToken()}` })
  const workspaceId = workspace.id
  const at = { x: 0, y: 0 }
  const group = (id: string, ...blocks: object[]) => ({
    id,
    title: id,
    graphCoordinates: at,
    blocks,
  })
  const asking = { id: "b0", type: "text input", outgoingEdgeId: "e0", options: {} }
  const bot = {
    version: "6.1",
    name: "Loop",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: at }],
    groups: [group("g0", asking)],
    edges: [{ id: "e0", from: { eventId: "start" }, to: { groupId: "g0" } }],
    variables: [{ id: "v0", name: "V0" }],
  }
  const imported = await call("POST", "/api/v1/bots/import", { workspaceId, bot })
  const publish = async (botId: string) => {
    const publicId = `fuzz-${botId}`
    await call("PATCH", `/api/v1/bots/${botId}`, { bot: { publicId } })
    await call("POST", `/api/v1/bots/${botId}/publish`)
    keep("publicId", publicId)
    return publicId
  }
  for (const botId of known.get("botId")?.slice(-3) ?? []) await publish(botId)
  const publicId = await publish(imported.bot.id)
  keep("botId", imported.bot.id)
  const started = await call("POST", `/api/v1/bots/${publicId}/startChat`, {})
  keep("workspaceId", workspaceId)
  keep("sessionId", started.sessionId)
  keep("resultId", started.resultId)
  for (const name of ["groupId", "blockId", "variableId", "eventId", "outgoingEdgeId"]) {
    keep(name, `${{ groupId: "g", blockId: "b", variableId: "v" }[name] ?? "e"}0`)
  }
}

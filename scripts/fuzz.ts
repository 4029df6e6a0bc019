/**
 * Sends requests made from openapi.json to a service that it starts, and judges every answer: no 5xx
 * but 503, JSON, valid against its documented schema. `npx tsx scripts/fuzz.ts [--requests 20000]
 * [--seed 1] [--users 8]`; ends with 1 on any discrepancy.
 */
import { readFile } from "node:fs/promises"
import { Agent } from "node:http"
import { join } from "node:path"
import { newToken } from "../src/people/apiTokens.ts"
import { ask, bot, group } from "../test/support/bots.ts"
import { openSource } from "./drills/draw.ts"
import { type Answer, openJudge } from "./drills/judge.ts"
import { send } from "./drills/post.ts"
import { megabytesOf, numberGiven, type ProductProcess, root, token } from "./drills/product.ts"
import { type Known, type OpenApi, openRequests, type Request } from "./drills/requests.ts"
import { withService } from "./drills/stack.ts"

const count = numberGiven("requests", 20_000)
const seed = numberGiven("seed", 1)
const users = numberGiven("users", 8)
/** A fresh workspace and bot are made after so many requests, because requests delete what they find. */
const refreshEvery = 400

const agent = new Agent({ keepAlive: true, maxSockets: users + 1 })
const known: Known = new Map()
const statuses = new Map<string, number>()
const successes = new Map<string, number>()
const discrepancies = new Map<string, { times: number; example: string }>()

await withService(fuzz, { PARLEY_TURN_TIMEOUT_MS: "5000" })
process.exit(discrepancies.size > 0 ? 1 : 0)

async function fuzz(service: ProductProcess): Promise<void> {
  const text = await readFile(join(root, "openapi.json"), "utf8")
  const judge = openJudge(JSON.parse(text))
  const document = JSON.parse(text) as OpenApi
  const next = openRequests(document, { source: openSource(seed), known, token })
  await refresh(service)
  const before = megabytesOf(service.pid)
  const startedAt = Date.now()
  let sent = 0
  let judged = 0
  const user = async () => {
    while (sent < count) {
      sent += 1
      if (sent % refreshEvery === 0) await refresh(service)
      const request = next()
      const answer = await answerTo(service, request)
      add(statuses, `${request.kind}: ${answer.status || "none"}`)
      const wrong = answer.status === 0 ? answer.text : judge(request.operation, answer)
      if (wrong !== undefined) note(request, answer, wrong)
      else if (answer.status === 200) learn(request, answer)
      if (answer.status === 200) add(successes, request.operationId)
      judged += 1
      if (judged % 1_000 === 0) {
        const memory = `${Math.round(megabytesOf(service.pid))} MB resident`
        console.error(`${judged} requests, ${discrepancies.size} discrepancies, ${memory}`)
      }
    }
  }
  await Promise.all(Array.from({ length: users }, user))
  report(service, { before, seconds: (Date.now() - startedAt) / 1000 })
}

function report(
  service: ProductProcess,
  { before, seconds }: { before: number; seconds: number },
): void {
  for (const { times, example } of discrepancies.values()) console.log(`${times} x ${example}\n`)
  for (const [name, times] of [...statuses].toSorted()) console.log(`${name}  ${times}`)
  const done = [...successes].toSorted().map(([name, times]) => `${name} ${times}`)
  console.log(`answered with 200: ${done.join(", ")}`)
  const after = megabytesOf(service.pid)
  console.log(`${count} requests with seed ${seed} in ${Math.round(seconds)} s`)
  console.log(`memory: ${before} MB before, ${after} MB after`)
  console.log(`${discrepancies.size} kinds of discrepancies`)
  if (discrepancies.size > 0) console.log(service.log().slice(-5_000))
}

/** Sends the request; status 0 means that there was no answer, and the text says why. */
async function answerTo({ address }: ProductProcess, request: Request): Promise<Answer> {
  try {
    return await send(address + request.path, { ...request, agent })
  } catch (error) {
    return { status: 0, contentType: "", text: String(error) }
  }
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
  if (/^(importBot|createBot|updateBot)$/.test(operationId)) keep("botId", bot?.id)
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

/** Makes a workspace with a published bot, and notes their ids. */
async function refresh({ api }: ProductProcess): Promise<void> {
  // A workspace of its own, because the requests delete the others at any time.
  const { workspace } = await api.call("POST", "/workspaces", { name: `Fuzz ${newToken()}` })
  const flow = bot(group("0", ask.text({ id: "b0", saves: "0", to: "0" })))
  const made = await api.call("POST", "/bots/import", { workspaceId: workspace.id, bot: flow })
  const publish = async (botId: string) => {
    const publicId = `fuzz-${botId}`
    await api.call("PATCH", `/bots/${botId}`, { bot: { publicId } })
    await api.call("POST", `/bots/${botId}/publish`)
    keep("publicId", publicId)
    return publicId
  }
  // Bots that the requests made may be gone by now, or may be unfit to be published.
  for (const botId of known.get("botId")?.slice(-3) ?? []) await publish(botId).catch(() => {})
  const publicId = await publish(made.bot.id)
  keep("botId", made.bot.id)
  const { sessionId, resultId } = await api.start(publicId)
  keep("workspaceId", workspace.id)
  keep("sessionId", sessionId)
  keep("resultId", resultId)
  for (const name of ["groupId", "blockId", "variableId", "eventId", "outgoingEdgeId"]) {
    keep(name, `${{ groupId: "g", blockId: "b", variableId: "v" }[name] ?? "e"}0`)
  }
}

/** What tells a flow does so whatever its blocks are: answers are held to their schemas as in every test. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { blockTypes } from "../../src/engine/blocks/registry.ts"
import { ask, block, bot, group } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { hostileBlock } from "../support/hostile.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ DATABASE_URL: await testDatabaseUrl() })

type Json = Record<string, unknown>

/** Sends a request that must succeed. */
async function call(route: string, body?: unknown): Promise<Json> {
  const [method = "", path = ""] = route.split(" ")
  const sent = body === undefined ? {} : { body }
  const reply = await server.send(method, `/api/v1${path}`, sent)
  expect([route, reply.status, reply.body.message]).toEqual([route, 200, reply.body.message])
  return reply.body
}

const known = { edges: ["e0"], groups: ["gAll"], blocks: ["b0"], bots: ["current"] }

/** Three blocks of every type, with whatever their schemas allow, and one of a type to come. */
const everyBlock = [
  ...Object.entries(blockTypes).flatMap(([type, { schema }]) =>
    fc.sample(hostileBlock(schema, known), { numRuns: 3 }).map((each) => ({ ...each, type })),
  ),
  { type: "hologram", depth: 3, layers: [{ x: 1 }] },
].map((each, index) => ({ ...each, id: `every${index}` }))

// Texts of PostgreSQL have no NUL, so that the service refuses it.
function withoutNul<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "string" ? each.replaceAll("\0", "") : each,
  )
}

const first = group("Ask", ask.file({ id: "file" }), block("webhook", {}, { id: "hook" }))
const chatFlow = bot(first, group("All"))

/** A flow to chat with, and a group with every block that no chat reaches. */
const flow = {
  ...chatFlow,
  name: "Every block",
  groups: chatFlow.groups.map((each) =>
    each.title === "All" ? { ...each, blocks: withoutNul(everyBlock) } : each,
  ),
}

const { workspaces } = await call("GET /workspaces")
const [{ id: workspaceId }] = workspaces as [{ id: string }]
const { bot: imported } = await call("POST /bots/import", { workspaceId, bot: flow })
const { id: botId } = imported as { id: string }

test("drafts", async () => {
  const { version: _, ...drawn } = flow
  await call("POST /bots", { workspaceId, bot: drawn })
  await call("POST /bots/import", { workspaceId, bot: flow, dryRun: true })
  await call("POST /bots/lint", { botId })
  await call(`POST /bots/${botId}/duplicate`, {})
  const { groups, edges, variables } = flow
  await call(`PATCH /bots/${botId}`, { bot: { groups, edges, variables } })
  await call(`PATCH /bots/${botId}`, { bot: { groups }, dryRun: true })
  await call(`GET /bots/${botId}?migrateToLatestVersion=true`)
  const { bot: found } = await call(`GET /bots/${botId}`)
  const { revision } = found as { revision: number }
  await call(`POST /bots/${botId}/edits`, { revision, edits: [{ type: "bot.set", icon: "🚶" }] })
})

test("versions", async () => {
  await call(`POST /bots/${botId}/publish`, {})
  await call(`GET /bots/${botId}/publishedBot`)
  await call(`PATCH /bots/${botId}`, { bot: { name: "Second", edges: [] } })
  await call(`GET /bots/${botId}/diff?from=1`)
  await call(`POST /bots/${botId}/publish`, {})
  await call(`GET /bots/${botId}/versions/1`)
  await call(`POST /bots/${botId}/restoreDraft`, { version: 1, overwrite: true })
  await call(`POST /bots/${botId}/rollback`, { version: 1 })
})

test("chats", async () => {
  await call(`PATCH /bots/${botId}`, { bot: { publicId: "every" } })
  const message = "https://example.com/a.png"
  const { sessionId, resultId } = await call("POST /bots/every/startChat", {})
  await call(`POST /sessions/${sessionId}/continueChat`, { message })
  await call(`GET /bots/${botId}/results/${resultId}/trace`)
  await call(`POST /bots/${botId}/replay`, {})
  const preview = await call(`POST /bots/${botId}/preview/startChat`, {})
  await call(`POST /sessions/${preview.sessionId}/continueChat`, { message })
})

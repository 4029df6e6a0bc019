/** Every operation answers exactly what its schema describes. */
import { randomBytes } from "node:crypto"
import fc from "fast-check"
import { expect, it } from "vitest"
import { openDatabase } from "../../src/db/connection/open.ts"
import { blockTypes } from "../../src/engine/blocks/registry.ts"
import { buildRoutes } from "../../src/http/rest/routes.ts"
import { newId, newUuid } from "../../src/ids.ts"
import { appRouter } from "../../src/routers/app.ts"
import { createAccount } from "../../src/routers/user/accounts.ts"
import { ask, block, bot, group } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { hostileBlock } from "../support/hostile.ts"
import { answered, testServer } from "../support/server.ts"

const DATABASE_URL = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL, PARLEY_DEFAULT_PLAN: "PRO" })

type Json = Record<string, unknown>

/** Sends a request that must succeed. */
async function call(route: string, body?: unknown, token?: string): Promise<Json> {
  const [method = "", path = ""] = route.split(" ")
  const sent = { ...(body !== undefined && { body }), ...(token !== undefined && { token }) }
  const reply = await server.send(method, `/api/v1${path}`, sent)
  expect([route, reply.status, reply.body.message]).toEqual([route, 200, reply.body.message])
  return reply.body
}

/** Makes an account and returns its token. */
async function account(email: string): Promise<string> {
  const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
  const { token } = await createAccount(db, { email })
  await db.close()
  return token
}

const known = { edges: ["e0"], groups: ["gAll"], blocks: ["b0"], bots: ["current"] }

/** Three blocks of every type, with whatever their schemas allow, and one of a type to come. */
const everyBlock = [
  ...Object.entries(blockTypes).flatMap(([type, { schema }]) =>
    fc
      .sample(hostileBlock(schema, known), { numRuns: 3, seed: 7 })
      .map((each) => ({ ...each, type })),
  ),
  { type: "hologram", depth: 3, layers: [{ x: 1 }] },
].map((each, index) => ({ ...each, id: `every${index}` }))

const chatFlow = bot(
  group("Ask", ask.file({ id: "file", saves: "File" }), block("webhook", {}, { id: "hook" })),
  group("All"),
)

/** A flow to chat with, and a group with every block that no chat reaches. */
const wholeFlow = {
  ...chatFlow,
  groups: chatFlow.groups.map((each) =>
    each.title === "All" ? { ...each, blocks: withoutNul(everyBlock) } : each,
  ),
}

// Texts of PostgreSQL have no NUL, so that the service refuses it.
function withoutNul<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each: unknown) =>
    typeof each === "string" ? each.replaceAll("\0", "") : each,
  )
}

it("every operation", async () => {
  const workspaceId = await walkPeople()
  const botId = await walkBots(workspaceId)
  await walkVersions(botId)
  await walkChats(botId)
  await walkConversations(botId)
  await walkWebhooks(workspaceId)
  await call(`GET /workspaces/${workspaceId}/auditLog`)
  await call(`POST /workspaces/${workspaceId}/erase`, { value: "Ann" })
  await walkEnd(workspaceId, botId)
  const operations = buildRoutes(appRouter).routes.map(({ procedure }) => procedure)
  expect([...answered].sort()).toEqual(operations.sort())
})

async function walkPeople(): Promise<string> {
  await call("GET /users/me")
  await call("PATCH /users/me", { updates: { name: "Ann" } })
  await call("POST /users/me/api-tokens", { name: "CI" })
  const { workspace } = await call("POST /workspaces", { name: "Walk", icon: "🚶" })
  const { id } = workspace as { id: string }
  await call("GET /workspaces")
  await call("GET /blocks")
  await call(`GET /workspaces/${id}`)
  await call(`PATCH /workspaces/${id}`, { name: "Walked" })
  await call(`GET /billing/usage?workspaceId=${id}`)
  await walkInvitations(id)
  await walkCredentials(id)
  return id
}

async function walkInvitations(workspaceId: string): Promise<void> {
  const bob = await account("bob@example.com")
  const invite = async (email: string): Promise<string> => {
    const invitation = { email, type: "MEMBER" }
    const made = await call(`POST /workspaces/${workspaceId}/invitations`, invitation)
    return (made.invitation as { id: string }).id
  }
  const declined = await invite("bob@example.com")
  await call(`GET /workspaces/${workspaceId}/invitations`)
  await call(`PATCH /workspaces/${workspaceId}/invitations/${declined}`, { type: "GUEST" })
  await call("GET /users/me/invitations", undefined, bob)
  await call(`POST /users/me/invitations/${declined}/decline`, {}, bob)
  await call(`POST /users/me/invitations/${await invite("bob@example.com")}/accept`, {}, bob)
  const gone = await invite("eve@example.com")
  await call(`DELETE /workspaces/${workspaceId}/invitations/${gone}`)
  const { id: bobId } = await call("GET /users/me", undefined, bob)
  await call(`PATCH /workspaces/${workspaceId}/members/${bobId}`, { role: "GUEST" })
  await call(`GET /workspaces/${workspaceId}/members`)
  await call(`DELETE /workspaces/${workspaceId}/members/${bobId}`)
  await call(`POST /users/me/invitations/${await invite("bob@example.com")}/accept`, {}, bob)
  await call(`POST /workspaces/${workspaceId}/leave`, {}, bob)
}

async function walkCredentials(workspaceId: string): Promise<void> {
  const data = { live: { publicKey: "pk", secretKey: "sk_live_1" } }
  const credentials = { type: "stripe", name: "Till", data }
  const { credentialsId } = await call("POST /credentials", {
    scope: "workspace",
    workspaceId,
    credentials,
  })
  await call(`GET /credentials?scope=workspace&workspaceId=${workspaceId}`)
  await call(`GET /credentials/${credentialsId}`)
  await call(`PATCH /credentials/${credentialsId}`, { credentials: { name: "Tills" } })
  await call(`DELETE /credentials/${credentialsId}`)
}

async function walkBots(workspaceId: string): Promise<string> {
  const { name, ...flow } = { name: "Every block", ...wholeFlow }
  const { version: _, ...parts } = flow
  await call("POST /bots", { workspaceId, bot: { ...parts, name } })
  const imported = await call("POST /bots/import", { workspaceId, bot: { ...flow, name } })
  const { id } = imported.bot as { id: string }
  await call("POST /bots/import", { workspaceId, bot: { ...flow, name }, dryRun: true })
  await call("POST /bots/lint", { botId: id })
  await call(`POST /bots/${id}/test`, { file: "bot: b\nconversation: [{ bot: x }]" })
  await call(`POST /bots/${id}/duplicate`, {})
  await call("GET /bots/publicIdAvailability?publicId=walk")
  const { groups, edges, variables } = flow
  const bot = { publicId: "walk", groups, edges, variables }
  await call(`PATCH /bots/${id}`, { bot })
  await call(`PATCH /bots/${id}`, { bot: { name }, dryRun: true })
  await call(`GET /bots?workspaceId=${workspaceId}`)
  await call(`GET /bots/${id}`)
  await call(`GET /bots/${id}?migrateToLatestVersion=true`)
  await walkThemes(workspaceId, id)
  await walkFiles(`/bots/${id}`)
  await walkFiles(`/workspaces/${workspaceId}`)
  await walkEdits(id)
  await walkFolders(workspaceId, id)
  return id
}

async function walkThemes(workspaceId: string, botId: string): Promise<void> {
  const path = `/workspaces/${workspaceId}/themeTemplates`
  const made = await call(`POST ${path}`, { name: "Walks", theme: { customCss: ".bubble {}" } })
  const { id: templateId } = made.themeTemplate as { id: string }
  await call(`GET ${path}`)
  await call(`PATCH ${path}/${templateId}`, { name: "Strolls" })
  await call(`POST /bots/${botId}/applyTheme`, { templateId })
  await call(`DELETE ${path}/${templateId}`)
}

async function walkFiles(owner: string): Promise<void> {
  const { file } = await call(`POST ${owner}/files`, { fileName: "a.png", fileSize: 1 })
  await call(`GET ${owner}/files`)
  await call(`DELETE ${owner}/files/${(file as { id: string }).id}`)
}

async function walkEdits(botId: string): Promise<void> {
  const { bot } = await call(`GET /bots/${botId}`)
  const { revision } = bot as { revision: number }
  const edits = [{ type: "bot.set", icon: "🚶" }]
  await call(`POST /bots/${botId}/edits`, { revision, edits })
  await call(`POST /bots/${botId}/edits/undo`, { revision: revision + 1 })
  await call(`POST /bots/${botId}/edits/redo`, { revision: revision + 2 })
  await call(`GET /bots/${botId}/edits`)
  await call(`POST /bots/${botId}/presence`, { focus: "hook" })
}

async function walkFolders(workspaceId: string, botId: string): Promise<void> {
  const path = `/workspaces/${workspaceId}/folders`
  const { folder } = await call(`POST ${path}`, { name: "Walks" })
  const { id: folderId } = folder as { id: string }
  await call("POST /bots/move", { workspaceId, botIds: [botId], folderId })
  await call(`GET ${path}`)
  await call(`PATCH ${path}/${folderId}`, { name: "Strolls" })
  await call(`DELETE ${path}/${folderId}`)
}

async function walkVersions(botId: string): Promise<void> {
  await call(`GET /bots/${botId}/publishedBot`)
  await call(`POST /bots/${botId}/publish`, { note: "First" })
  await call(`GET /bots/${botId}/publishedBot`)
  await call(`POST /bots/${botId}/versions`, { note: "Kept" })
  await call(`PATCH /bots/${botId}`, { bot: { name: "Second", edges: [] } })
  await call(`GET /bots/${botId}/diff?from=1`)
  await call(`POST /bots/${botId}/publish`, {})
  await call(`GET /bots/${botId}/versions`)
  await call(`GET /bots/${botId}/versions/1`)
  await call(`POST /bots/${botId}/restoreDraft`, { version: 1, overwrite: true })
  await call(`POST /bots/${botId}/rollback`, { version: 1 })
  await call(`GET /bots/${botId}/publications`)
}

async function walkConversations(botId: string): Promise<void> {
  const path = `/bots/${botId}/conversations/ann`
  const { sessionId } = await call(`POST ${path}/messages`, { message: "Hi" })
  await call(`GET ${path}`)
  await call(`GET /bots/${botId}/conversations`)
  await call(`PATCH ${path}`, { state: "paused" })
  await call(`GET /sessions/${sessionId}`)
  await call(`PATCH /sessions/${sessionId}`, { state: "active" })
}

async function walkChats(botId: string): Promise<void> {
  const { sessionId, resultId } = await call("POST /bots/walk/startChat", {})
  const file = { sessionId, blockId: "file", fileName: "a.png", fileType: "image/png" }
  await call("POST /generate-upload-url", file)
  await call(`POST /sessions/${sessionId}/clientLogs`, {
    clientLogs: [{ status: "error", description: "A script failed" }],
  })
  const message = "https://example.com/a.png"
  await call(`POST /sessions/${sessionId}/continueChat`, { message })
  await call(`POST /bots/${botId}/blocks/hook/results/${resultId}/executeWebhook`, { name: "Ann" })
  await call(`GET /bots/${botId}/results`)
  await call(`GET /bots/${botId}/results/${resultId}`)
  await call(`GET /bots/${botId}/results/${resultId}/logs`)
  await call(`GET /bots/${botId}/results/${resultId}/transcript`)
  await call(`GET /bots/${botId}/results/${resultId}/trace`)
  await call(`GET /bots/${botId}/analytics`)
  await call(`POST /bots/${botId}/replay`, {})
  await call(`DELETE /bots/${botId}/results?resultIds=${resultId}`)
  const preview = await call(`POST /bots/${botId}/preview/startChat`, {})
  await call(`POST /sessions/${preview.sessionId}/continueChat`, { message })
  await call(`POST /bots/${botId}/blocks/hook/web/executeTestWebhook`, { name: "Ann" })
  await call(`POST /bots/${botId}/preview/${preview.sessionId}/back`)
}

async function walkWebhooks(workspaceId: string): Promise<void> {
  const path = `/workspaces/${workspaceId}/webhookEndpoints`
  const { endpoint } = await call(`POST ${path}`, {
    url: "https://example.com/hook",
    types: ["bot.published"],
  })
  const { id: endpointId } = endpoint as { id: string }
  const one = `${path}/${endpointId}`
  await call(`GET ${path}`)
  await call(`GET ${one}`)
  await call(`PATCH ${one}`, { description: "The till" })
  await call(`POST ${one}/rotateSecret`)
  await call(`POST ${one}/test`)
  const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
  const id = newUuid()
  await db.pool.query(
    `insert into deliveries (id, endpoint_id, result_id, event_id, type, body, state)
    values ($1, $2, $3, $4, 'bot.published', '{}', 'failed')`,
    [id, endpointId, newUuid(), newUuid()],
  )
  await db.close()
  await call(`GET ${one}/deliveries`)
  await call(`POST ${one}/deliveries/${id}/redeliver`)
  await call(`POST ${one}/redeliver`, {
    since: "2026-01-01T00:00:00Z",
    until: "2026-01-02T00:00:00Z",
  })
  await call(`POST /workspaces/${workspaceId}/webhookEvents`, {})
  await call(`DELETE ${one}`)
}

async function walkEnd(workspaceId: string, botId: string): Promise<void> {
  await call(`POST /bots/${botId}/unpublish`)
  const db = await openDatabase({ url: DATABASE_URL, poolSize: 1 })
  const cleo = await account("cleo@example.com")
  const userId = String((await call("GET /users/me", undefined, cleo)).id)
  await db.kysely.insertInto("botCollaborators").values({ botId, userId, type: "READ" }).execute()
  const session = { id: newId(), userId, secretHash: randomBytes(32), method: "mail" }
  const expiresAt = new Date(Date.now() + 60_000)
  await db.kysely
    .insertInto("userSessions")
    .values({ ...session, expiresAt })
    .execute()
  await db.close()
  const invited = { email: "cleo@example.com", type: "WRITE" }
  const invite = async (email = invited.email) => {
    const shared = await call(`POST /bots/${botId}/collaborators`, { ...invited, email })
    return (shared.collaborator as { id: string }).id
  }
  await call(`POST /bots/${botId}/leave`, {}, cleo)
  await call(`POST /users/me/botInvitations/${await invite()}/decline`, {}, cleo)
  const invitationId = await invite()
  await call("GET /users/me/botInvitations", undefined, cleo)
  await call(`POST /users/me/botInvitations/${invitationId}/accept`, {}, cleo)
  await call("GET /users/me/bots", undefined, cleo)
  const one = `/bots/${botId}/collaborators/${await invite("dan@example.com")}`
  await call(`GET /bots/${botId}/collaborators`)
  await call(`PATCH ${one}`, { type: "READ" })
  await call(`DELETE ${one}`)
  await call("GET /users/me/sessions", undefined, cleo)
  await call(`DELETE /users/me/sessions/${session.id}`, undefined, cleo)
  await call(`POST /bots/${botId}/leave`, {}, cleo)
  await call(`DELETE /bots/${botId}`)
  await call(`GET /bots?workspaceId=${workspaceId}&deleted=true`)
  await call(`POST /bots/${botId}/restore`)
  await call(`DELETE /bots/${botId}?permanently=true`)
  await call(`DELETE /workspaces/${workspaceId}`)
  const { apiTokens } = await call("GET /users/me/api-tokens")
  const spare = (apiTokens as { id: string; name: string }[]).find(({ name }) => name === "CI")
  await call(`DELETE /users/me/api-tokens/${spare?.id}`)
}

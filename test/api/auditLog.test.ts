/** The audit log: every change of a workspace is in it, with the change or not at all. */
import { beforeEach, expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { firstUuidAt } from "../../src/lib/ids.ts"
import { ask, bot, group } from "../support/bots.ts"
import { collaborate, newUser, refusalOf } from "../support/callers.ts"
import { conversationOf } from "../support/conversations.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl })
const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
const { workspaceId } = server
const flow = bot(group("g", ask.text({ id: "secret question" })))

type Entry = { operation: string; target: Record<string, string>; counts?: object; user: object }

async function entries(query = "", of = workspaceId): Promise<Entry[]> {
  const listed = await server.send("GET", `/api/v1/workspaces/${of}/auditLog${query}`)
  expect(listed.status, JSON.stringify(listed.body)).toBe(200)
  return listed.body.entries as Entry[]
}

const operations = async () => (await entries()).map(({ operation }) => operation)

beforeEach(() => db.pool.query("delete from audit_log"))

test("names who did what to which thing, newest first, and never what was written", async () => {
  const { botId } = await publishBot(server, flow)
  const invitation = { email: "secret@example.com", type: "MEMBER" }
  await server.send("POST", `/api/v1/workspaces/${workspaceId}/invitations`, { body: invitation })
  await server.send("PATCH", `/api/v1/workspaces/${workspaceId}`, { body: { icon: "secret" } })
  const credentials = { type: "http proxy", name: "secret", data: { url: "http://secret.example" } }
  const made = await server.send("POST", "/api/v1/credentials", {
    body: { workspaceId, credentials },
  })
  const { credentialsId } = made.body as { credentialsId: string }
  await server.send("DELETE", `/api/v1/credentials/${credentialsId}`)
  await server.send("DELETE", `/api/v1/bots/${botId}/results?all=true`)
  const found = await entries()
  expect(found.map(({ operation }) => operation)).toEqual([
    "deleteResults",
    "deleteCredential",
    "createCredential",
    "updateWorkspace",
    "createInvitation",
    "publishBot",
    "updateBot",
    "importBot",
  ])
  const [deleted, , created] = found
  expect(deleted).toMatchObject({ target: { botId }, counts: { results: 0 } })
  expect(created?.target).toEqual({ workspaceId, credentialsId })
  expect(found.at(-1)?.target).toMatchObject({ botId })
  for (const { user } of found) expect(user).toMatchObject({ email: "ann@example.com" })
  expect(JSON.stringify(found)).not.toContain("secret")
})

test("names files, theme templates and variables", async () => {
  const workspace = `/api/v1/workspaces/${workspaceId}`
  const announced = { fileName: "logo.png", fileType: "image/png", fileSize: 5 }
  const made = await server.send("POST", `${workspace}/files`, { body: announced })
  const { id: fileId } = made.body.file as { id: string }
  const template = { name: "Autumn", theme: {} }
  const kept = await server.send("POST", `${workspace}/themeTemplates`, { body: template })
  const { id: templateId } = kept.body.themeTemplate as { id: string }
  await server.send("DELETE", `${workspace}/files/${fileId}`)
  await server.send("DELETE", `${workspace}/themeTemplates/${templateId}`)
  const variableName = "shopUrl"
  await server.send("POST", `${workspace}/variables`, { body: { name: variableName, value: "x" } })
  await server.send("DELETE", `${workspace}/variables/${variableName}`)
  expect((await entries()).slice(0, 4)).toMatchObject([
    { operation: "deleteVariable", target: { workspaceId, variableName } },
    { operation: "createVariable", target: { workspaceId, variableName } },
    { operation: "deleteThemeTemplate", target: { workspaceId, templateId } },
    { operation: "deleteWorkspaceFile", target: { workspaceId, fileId } },
  ])
})

test("names the copy, and not the original", async () => {
  const { botId } = await publishBot(server, flow)
  await db.pool.query("delete from audit_log")
  const { body } = await server.send("POST", `/api/v1/bots/${botId}/duplicate`, { body: {} })
  const { id } = body.bot as { id: string }
  expect(await entries()).toMatchObject([{ operation: "duplicateBot", target: { botId: id } }])
})

test("says who left a bot and who declined an invitation", async () => {
  const { botId } = await publishBot(server, flow)
  const bob = await newUser(db)
  await collaborate(db, bob, botId, "READ")
  const body = { email: bob.email, type: "MEMBER" }
  await server.send("POST", `/api/v1/workspaces/${workspaceId}/invitations`, { body })
  const [invitation] = (await bob.call.user.listInvitations()).invitations
  const invitationId = invitation?.id ?? ""
  await db.pool.query("delete from audit_log")
  await bob.call.user.declineInvitation({ invitationId })
  await bob.call.bot.leave({ botId })
  expect((await refusalOf(bob.call.user.declineInvitation({ invitationId }))).code).toBe(
    "NOT_FOUND",
  )
  expect((await refusalOf(bob.call.bot.leave({ botId }))).code).toBe("NOT_FOUND")
  const user = { email: bob.email }
  expect(await entries()).toMatchObject([
    { operation: "leaveBot", target: { botId }, user },
    { operation: "declineInvitation", target: { invitationId }, user },
  ])
})

test("talk, what changes nothing, and what is refused are not in it", async () => {
  const { botId, publicId } = await publishBot(server, flow)
  await db.pool.query("delete from audit_log")
  await server.send("POST", "/api/v1/bots/lint", { body: { botId } })
  await conversationOf(server, { botId, publicId }, "ann").send("Hi")
  await server.send("DELETE", `/api/v1/bots/${botId}/results?all=true&dryRun=true`)
  await server.send("POST", `/api/v1/bots/${botId}/rollback`, { body: { version: 99 } })
  await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { publicId: "a b" } } })
  expect(await operations()).toEqual([])
})

test("a dry run is not in it", async () => {
  const { botId } = await publishBot(server, flow)
  await db.pool.query("delete from audit_log")
  const sent = [
    server.send("POST", "/api/v1/bots/import", { body: { workspaceId, bot: flow, dryRun: true } }),
    server.send("PATCH", `/api/v1/bots/${botId}?dryRun=true`, { body: { bot: { name: "New" } } }),
  ]
  for (const { status } of await Promise.all(sent)) expect(status).toBe(200)
  expect(await operations()).toEqual([])
})

test("a change that cannot be written down does not happen", async () => {
  const { botId } = await publishBot(server, flow)
  const live = async () => (await server.send("GET", `/api/v1/bots/${botId}/publications`)).body
  const before = await live()
  await db.pool.query("alter table audit_log rename to lost")
  try {
    expect((await server.send("POST", `/api/v1/bots/${botId}/unpublish`)).status).toBe(500)
    expect(await live()).toEqual(before)
  } finally {
    await db.pool.query("alter table lost rename to audit_log")
  }
  expect((await server.send("POST", `/api/v1/bots/${botId}/unpublish`)).status).toBe(200)
  expect((await operations())[0]).toBe("unpublishBot")
})

test("an operation that looks at no workspace cannot write into the log of one", async () => {
  const tokens = "/api/v1/users/me/api-tokens"
  const { body } = await server.send("POST", tokens, { body: { name: "Mine" } })
  const { id } = body.apiToken as { id: string }
  const path = `${tokens}/${id}?workspaceId=${workspaceId}&botId=x`
  expect((await server.send("DELETE", path)).status).toBe(200)
  expect(await operations()).toEqual([])
})

test("a token for a workspace is in its log", async () => {
  const body = { name: "Mine", workspaceId }
  expect((await server.send("POST", "/api/v1/users/me/api-tokens", { body })).status).toBe(200)
  expect(await operations()).toEqual(["createApiToken"])
})

test("a workspace that was just made has its first entry", async () => {
  const { body } = await server.send("POST", "/api/v1/workspaces", { body: { name: "Second" } })
  const { id } = body.workspace as { id: string }
  expect(await entries("", id)).toMatchObject([{ operation: "createWorkspace" }])
})

test("comes in pages, and goes after 400 days", async () => {
  const rows = Array.from({ length: 5 }, (_, index) => [firstUuidAt(index * 86_400_000), index])
  for (const [id, index] of rows) {
    await db.pool.query(
      "insert into audit_log (id, workspace_id, operation, target) values ($1, $2, $3, '{}')",
      [id, workspaceId, `op${index}`],
    )
  }
  const path = `/api/v1/workspaces/${workspaceId}/auditLog`
  const first = (await server.send("GET", `${path}?limit=3`)).body
  expect(first.entries).toMatchObject([{ operation: "op4" }, { operation: "op3" }, {}])
  const second = (await server.send("GET", `${path}?limit=3&cursor=${first.nextCursor}`)).body
  expect(second.entries).toMatchObject([{ operation: "op1" }, { operation: "op0" }])
  expect(second).not.toHaveProperty("nextCursor")
  expect((await server.send("GET", `${path}?cursor='; drop`)).status).toBe(400)
  const now = () => 403.5 * 86_400_000
  expect(await runJob(db, "purge_audit_log", { now })).toEqual({ entries: 4 })
  expect(await operations()).toEqual(["op4"])
})

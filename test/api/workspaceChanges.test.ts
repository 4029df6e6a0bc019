/** Changing and deleting workspaces. */
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { newUser, refusalOf } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const db = await testDatabase()

describe("changing a workspace", () => {
  test("replaces what is named and leaves the rest", async () => {
    const ann = await newUser(db)
    const { workspace } = await ann.call.workspace.create({ name: "Shop", icon: "🛍️" })
    const workspaceId = workspace.id
    const update = (changes: object) => ann.call.workspace.update({ workspaceId, ...changes })
    const settings = { groupTitlesAutoGeneration: { isEnabled: true } }
    const { workspace: changed } = await update({ name: " Store ", settings })
    expect(changed).toMatchObject({ name: "Store", icon: "🛍️", settings, plan: "FREE" })
    expect(changed.updatedAt >= workspace.updatedAt).toBe(true)
    expect((await ann.call.workspace.get({ workspaceId })).workspace).toEqual(changed)
    const { workspace: bare } = await update({ icon: null, settings: null })
    expect(bare).toMatchObject({ name: "Store", icon: null, settings: null })
    const { workspace: same } = await update({ plan: "PRO", customSeatsLimit: 9 })
    expect(same).toMatchObject({ name: "Store", plan: "FREE", customSeatsLimit: null })
    expect((await refusalOf(update({ name: " " }))).code).toBe("BAD_REQUEST")
  })
})

describe("deleting a workspace", async () => {
  const server = await testServer({ DATABASE_URL: db.url })
  const { send } = server
  const flow = bot(group("Hello", say("Name?"), ask.text({ saves: "Name" }), say("Bye")))

  test("ends its chats, takes all along that belongs to it, and leaves other workspaces", async () => {
    const { body: made } = await send("POST", "/api/v1/workspaces", { body: { name: "Second" } })
    const other = made.workspace as { id: string }
    const { botId, publicId } = await publishBot(server, flow)
    const { body: found } = await send("GET", `/api/v1/bots/${botId}`)
    const { workspaceId } = found.bot as { workspaceId: string }
    const path = `/api/v1/workspaces/${workspaceId}`
    const invited = { email: "bob@example.com", type: "GUEST" }
    expect((await send("POST", `${path}/invitations`, { body: invited })).status).toBe(200)
    await (await chatOver(server, publicId)).say("Ann")
    const running = await chatOver(server, publicId)

    expect((await send("DELETE", path)).body).toEqual({ message: "success" })
    for (const gone of [path, `${path}/members`, `/api/v1/bots/${botId}`]) {
      expect((await send("GET", gone)).status).toBe(404)
    }
    expect((await running.say("Bob")).status).toBe(404)
    const start = `/api/v1/bots/${publicId}/startChat`
    expect((await send("POST", start, { body: {} })).status).toBe(404)
    expect((await send("DELETE", path)).status).toBe(404)
    expect((await send("GET", `/api/v1/workspaces/${other.id}`)).status).toBe(200)

    await runJob(db, "remove_bots")
    for (const table of ["members", "invitations"]) {
      const rest = `select from workspace_${table} where workspace_id = $1`
      expect((await db.pool.query(rest, [workspaceId])).rows, table).toEqual([])
    }
    for (const table of ["bot_versions", "published_bots", "results", "chat_sessions"]) {
      const rest = `select from ${table} where bot_id = $1`
      expect((await db.pool.query(rest, [botId])).rows, table).toEqual([])
    }
    expect((await db.pool.query("select from answers")).rows).toEqual([])
  })
})

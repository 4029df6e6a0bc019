/** Limits of chats: none by default, refusals that name the reason, and an end as soon as they change. */
import { expect, test, vi } from "vitest"
import { listWorkspacesCommand, setPlanCommand } from "../../src/cli/workspaces.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { run } from "../support/runCommand.ts"
import { testServer } from "../support/server.ts"

const DATABASE_URL = await testDatabaseUrl()
const { send } = await testServer({ DATABASE_URL })
const db = await openDatabase({ url: DATABASE_URL, poolSize: 2 })
vi.stubEnv("DATABASE_URL", DATABASE_URL)
vi.stubEnv("PARLEY_SECRET", "a secret that only tests know of")

const start = () => send("POST", "/api/v1/bots/demo/startChat", { token: null, body: {} })

async function haveChats(number: number): Promise<void> {
  const ids = Array.from({ length: number }, newUuid)
  await db.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started)
    select each, b.id, each, true from unnest($1::uuid[]) as each, bots b where b.public_id = 'demo'`,
    [ids],
  )
}

test("a service with default settings is open after 2,000 chats in a month", async () => {
  await haveChats(2_000)
  expect(await runJob(db, "count_usage")).toMatchObject({ workspaces: 1, quarantined: 0 })
  expect((await start()).status).toBe(200)
})

test("a chat above the limit is refused with its reason, until the plan is changed", async () => {
  await run(setPlanCommand, "My workspace", "free")
  const refused = await start()
  expect(refused.status).toBe(403)
  expect(refused.body).toMatchObject({
    type: "/problems/chats-limit-reached",
    reason: "CHATS_LIMIT_REACHED",
    message: "This bot has reached its limit of chats for this month",
  })
  expect((await run(listWorkspacesCommand)).out).toMatch(
    /FREE +2000 +200 +closed +My workspace +ann@example\.com\n/,
  )
  const set = await run(setPlanCommand, "My workspace", "PRO")
  expect(set).toEqual({ out: "", err: 'The workspace "My workspace" has the plan PRO.\n', code: 0 })
  expect((await start()).status).toBe(200)
  expect((await run(listWorkspacesCommand)).out).toMatch(
    /PRO +2000 +10000 +open +My workspace +ann@example\.com\n/,
  )
})

test("a refusal ends with the limit, without waiting for the next count", async () => {
  const set = (limit: number | null) =>
    db.pool.query("update workspaces set chats_hard_limit = $1", [limit])
  await set(10)
  await runJob(db, "count_usage")
  expect((await start()).body).toHaveProperty("reason", "CHATS_LIMIT_REACHED")
  await set(100_000)
  expect((await start()).status).toBe(200)
  await set(null)
})

test("a workspace that was closed by hand keeps the words for closed bots", async () => {
  await db.pool.query("update workspace_usage set quarantined_at = null")
  await db.pool.query("update workspaces set is_quarantined = true")
  expect((await start()).body).toMatchObject({
    reason: "BOT_SUSPENDED",
    message: "This bot is closed.",
  })
})

test("a plan or a workspace that does not exist is named", async () => {
  const plan = await run(setPlanCommand, "My workspace", "GOLD")
  expect(plan).toMatchObject({ code: 1, err: expect.stringContaining('"GOLD" is not a plan') })
  const gone = await run(setPlanCommand, "nobody", "PRO")
  expect(gone.err).toBe("There is no workspace nobody: `parley workspace list` shows them all.\n")
})

/** Data that the purges delete, and data they keep. */
import { createHash, randomBytes } from "node:crypto"
import { beforeEach, expect, test, vi } from "vitest"
import { savePreviewFlow } from "../../src/db/chats/previews.ts"
import type { VersionOrigin } from "../../src/db/schema/versionTables.ts"
import { firstUuidAt, newId, newUuid } from "../../src/lib/ids.ts"
import { testDatabase } from "../support/database.ts"
import { noFiles, runJob } from "../support/jobs.ts"
import { insertDraft, insertPerson, insertTeam, recordChat } from "../support/people.ts"

const db = await testDatabase()
const { pool, kysely } = db
const hourMs = 3_600_000
const dayMs = 24 * hourMs

const owner = await insertPerson(db)
const workspaceId = await insertTeam(db, [[owner, "ADMIN"]])

beforeEach(async () => {
  await pool.query(
    "truncate chat_sessions, results, answers, result_steps, logs, idempotency, start_keys",
  )
})

const ago = (ms: number) => new Date(Date.now() - ms)

async function count(table: string): Promise<number> {
  const { rows } = await pool.query(`select count(*) as n from ${table}`)
  return rows[0].n
}

/** A chat with the times of its start and its last turn. */
async function chatFrom(startedAt: Date, updatedAt: Date, more: Record<string, unknown> = {}) {
  const chat = await recordChat(db, { botId: "bot", startedAt })
  await kysely
    .updateTable("chatSessions")
    .set({ updatedAt, createdAt: startedAt, ...more })
    .where("resultId", "=", chat.resultId)
    .execute()
  return chat
}

test("2.5 live chats go 48 hours after their last turn, and their results stay", async () => {
  await chatFrom(ago(60 * hourMs), ago(49 * hourMs))
  await chatFrom(ago(60 * hourMs), ago(49 * hourMs), { claimedUntil: new Date(Date.now() + dayMs) })
  await chatFrom(ago(60 * hourMs), ago(47 * hourMs))
  await chatFrom(ago(90 * hourMs), ago(80 * hourMs), { expiresAt: new Date(Date.now() + dayMs) })
  await chatFrom(ago(90 * hourMs), ago(1 * hourMs), { expiresAt: ago(hourMs / 2) })
  expect(await runJob(db, "purge_sessions")).toEqual({ sessions: 2 })
  expect([await count("chat_sessions"), await count("results")]).toEqual([3, 5])
})

test("more than one batch goes in one run", async () => {
  const old = firstUuidAt(Date.now() - 3 * dayMs).slice(0, 24)
  const ids = Array.from({ length: 2_300 }, (_, n) => old + n.toString(16).padStart(12, "0"))
  await pool.query(
    `insert into chat_sessions (result_id, id, bot_id, version_id, state, updated_at)
    select id, id::text, 'bot', id, '{}', now() - interval '3 days' from unnest($1::uuid[]) id`,
    [ids],
  )
  expect(await runJob(db, "purge_sessions")).toEqual({ sessions: 2_300 })
})

test("2.5 previews go after a day, and flows when no preview runs them", async () => {
  const flowOf = async (text: string, lastUsedAt: Date) => {
    const hash = createHash("sha256").update(text).digest()
    const owner = { name: "user:ann", isAnonymous: false }
    await savePreviewFlow(db, { hash, payload: text, owner })
    await pool.query("update preview_flows set last_used_at = $2 where hash = $1", [
      hash,
      lastUsedAt,
    ])
    return hash
  }
  const preview = (id: string, flowHash: Buffer, updatedAt: Date, state = "{}") =>
    kysely
      .insertInto("previewSessions")
      .values({ id, flowHash, state, updatedAt, createdAt: ago(40 * hourMs) })
      .execute()
  await preview("old", await flowOf("old", ago(25 * hourMs)), ago(25 * hourMs))
  const linked = (await flowOf("linked", ago(30 * hourMs))).toString("hex")
  const state = JSON.stringify({ queue: [{ version: `${linked}:bot` }] })
  await preview("kept", await flowOf("long", ago(40 * hourMs)), ago(hourMs), state)
  await flowOf("new", ago(hourMs))
  const purgePreviewFiles = vi.fn(async (_before: Date) => {})
  const files = { ...noFiles, purgePreviewFiles }
  expect(await runJob(db, "purge_previews", { files })).toEqual({ sessions: 1, flows: 1 })
  const { rows } = await pool.query("select payload from preview_flows order by payload")
  expect(rows.map(({ payload }) => payload)).toEqual(["linked", "long", "new"])
  const before = purgePreviewFiles.mock.calls[0]?.[0].getTime() ?? 0
  expect(Math.abs(Date.now() - dayMs - before)).toBeLessThan(10_000)
})

test("keys, stored responses, webhook calls, ended chats, shared limits, tallies, sessions and codes go after their time", async () => {
  for (const createdAt of [ago(25 * hourMs), ago(23 * hourMs)]) {
    const ids = { resultId: newUuid(), sessionId: newId() }
    const keyed = { bodyHash: Buffer.alloc(32), createdAt, ...ids }
    await kysely
      .insertInto("idempotency")
      .values({ ...keyed, key: "k", status: 200, body: "{}" })
      .execute()
    await kysely
      .insertInto("startKeys")
      .values({ ...keyed, keyId: newUuid() })
      .execute()
    await kysely
      .insertInto("webhookCalls")
      .values({ ...ids, id: newUuid(), blockId: "b", body: "{}", createdAt })
      .execute()
    await kysely
      .insertInto("sessionEvents")
      .values({ ...ids, id: newUuid(), type: "t", data: "{}", createdAt })
      .execute()
    const endedAt = new Date(createdAt.getTime() - 29 * dayMs)
    await kysely
      .insertInto("endedChats")
      .values({ ...ids, state: "ended", endedAt })
      .execute()
    await kysely
      .insertInto("previewStarts")
      .values({ keyId: newUuid(), claimedUntil: createdAt, claimedBy: "p", createdAt })
      .execute()
    const { sessionId, bodyHash } = keyed
    await kysely
      .insertInto("previewSessions")
      .values({
        id: sessionId,
        flowHash: bodyHash,
        state: "{}",
        owner: "user:u",
        isAnonymous: false,
      })
      .execute()
    await kysely
      .insertInto("previewResponses")
      .values({ sessionId, call: "start", key: "k", bodyHash, body: "{}", createdAt })
      .execute()
    await kysely
      .insertInto("rateLimits")
      .values({ key: newId(), expire: createdAt.getTime() + dayMs })
      .execute()
    const expiresAt = new Date(createdAt.getTime() + dayMs)
    await kysely
      .insertInto("uploadTallies")
      .values({ scope: newId(), files: 1, bytes: 1, expiresAt })
      .execute()
    const [userId, secretHash, codeHash] = [owner.id, randomBytes(32), randomBytes(32)]
    await kysely
      .insertInto("userSessions")
      .values({ id: newId(), userId, secretHash, method: "link", expiresAt })
      .execute()
    await kysely.insertInto("signInLinks").values({ codeHash, userId, expiresAt }).execute()
    // Codes are counted for an hour.
    const since = new Date(expiresAt.getTime() - hourMs)
    await kysely
      .insertInto("signInCodes")
      .values({ email: `${newId()}@example.com`, codeHash, expiresAt, since })
      .execute()
  }
  expect(await runJob(db, "purge_keys")).toEqual({
    responses: 1,
    startKeys: 1,
    webhookCalls: 1,
    sessionEvents: 1,
    endedChats: 1,
    previewResponses: 1,
    previewStarts: 1,
    uploadTallies: 1,
    rateLimits: 1,
    userSessions: 1,
    signInLinks: 1,
    signInCodes: 1,
  })
  expect(await count("idempotency")).toBe(1)
})

test("logs go after 90 days, also those of a result that stays", async () => {
  const line = (days: number) => ({
    id: newUuid(),
    status: "info",
    description: "d",
    createdAt: ago(days * dayMs).toISOString(),
  })
  const logs = [line(91), line(89)]
  await recordChat(db, { botId: "bot", startedAt: ago(100 * dayMs), rows: { logs } })
  expect(await runJob(db, "purge_logs")).toEqual({ logs: 1 })
  expect([await count("logs"), await count("results")]).toEqual([1, 1])
})

test("tokens go 90 days after they were revoked or expired", async () => {
  const token = (facts: { revokedAt?: Date; expiresAt?: Date }) =>
    kysely
      .insertInto("apiTokens")
      .values({
        id: newId(),
        ownerId: owner.id,
        name: "t",
        tokenHash: randomBytes(32),
        hint: "abcd",
        ...facts,
      })
      .execute()
  await token({ revokedAt: ago(91 * dayMs) })
  await token({ expiresAt: ago(91 * dayMs) })
  await token({ revokedAt: ago(89 * dayMs) })
  await token({ expiresAt: ago(-dayMs) })
  await token({})
  expect(await runJob(db, "purge_tokens")).toEqual({ tokens: 2 })
  expect(await count("api_tokens")).toBe(3)
})

test("results go with everything of theirs when they are older than they are kept", async () => {
  const old = await chatFrom(ago(11 * dayMs), ago(hourMs))
  await chatFrom(ago(9 * dayMs), ago(hourMs))
  const deleteResultFiles = vi.fn(async () => {})
  const files = { ...noFiles, deleteResultFiles }
  expect(await runJob(db, "purge_results", { files })).toEqual({ results: 0 })
  expect(await runJob(db, "purge_results", { files, resultRetentionDays: 10 })).toEqual({
    results: 1,
  })
  expect(deleteResultFiles.mock.calls).toEqual([[{ resultId: old.resultId, botId: "bot" }]])
  for (const table of ["results", "answers", "chat_sessions"]) expect(await count(table)).toBe(1)
})

test("retention resumes where it was cut short, and takes batches and hours of any size", async () => {
  const start = Date.now() - 20 * dayMs
  // Two full batches and a bit in one hour, some in others, and a few that are kept.
  const hours = new Map([
    [0, 2_100],
    [1, 30],
    [5, 999],
    [6, 1_000],
    [400, 3],
  ])
  for (const [hour, number] of hours) {
    await pool.query(
      `insert into results (result_id, bot_id, version_id)
      select (left($1, 24) || lpad(to_hex(n), 12, '0'))::uuid, 'bot', gen_random_uuid()
      from generate_series(1, $2::int) n`,
      [firstUuidAt(start + hour * hourMs), number],
    )
  }
  await pool.query(
    "insert into answers (result_id, idx, block_id, content) select result_id, 0, 'b', '' from results",
  )
  const cut = new AbortController()
  const removed = new Set<string>()
  const deleteResultFiles = vi.fn(async ({ resultId }: { resultId: string }) => {
    removed.add(resultId)
    if (removed.size === 1_500) cut.abort()
  })
  const parts = { files: { ...noFiles, deleteResultFiles }, resultRetentionDays: 10 }
  await expect(runJob(db, "purge_results", { ...parts, signal: cut.signal })).rejects.toThrow()
  const left = await count("results")
  expect(left).toBeGreaterThan(3)
  expect(await count("answers")).toBe(left)
  expect(await runJob(db, "purge_results", parts)).toEqual({ results: left - 3 })
  expect([await count("results"), await count("answers")]).toEqual([3, 3])
  expect(removed.size).toBe(4_129)
})

const moveToBin = (botId: string, at: Date) =>
  pool.query(
    "update bots set is_archived = true, is_in_bin = true, archived_at = $2 where id = $1",
    [botId, at],
  )

test("bots are deleted 30 days after they were archived, with their records", async () => {
  const archive = async (days: number) => {
    const botId = await insertDraft(db, { workspaceId })
    await recordChat(db, { botId, startedAt: ago((days + 1) * dayMs) })
    await moveToBin(botId, ago(days * dayMs))
    return botId
  }
  const gone = await archive(31)
  await archive(29)
  const live = await insertDraft(db, { workspaceId })
  await recordChat(db, { botId: live, startedAt: ago(200 * dayMs) })
  // Of a workspace that was deleted together with its bots.
  await recordChat(db, { botId: "orphan", startedAt: ago(3 * dayMs) })
  const deleteBotFiles = vi.fn(async () => {})
  const counts = await runJob(db, "remove_bots", { files: { ...noFiles, deleteBotFiles } })
  expect(counts).toEqual({ bots: 1, results: 2 })
  expect(deleteBotFiles.mock.calls).toEqual([[gone]])
  expect([await count("bots"), await count("results"), await count("answers")]).toEqual([2, 2, 2])
})

test("a start's records are deleted for a bot deleted for good, and the chat is ended for one in the bin", async () => {
  const [deleted, binned] = [
    await insertDraft(db, { workspaceId }),
    await insertDraft(db, { workspaceId }),
  ]
  for (const botId of [deleted, binned]) {
    await moveToBin(botId, ago(hourMs))
    await recordChat(db, { botId })
  }
  await pool.query("update bots set is_in_bin = false where id = $1", [deleted])
  expect(await runJob(db, "remove_bots")).toEqual({ bots: 0, results: 1 })
  expect([await count("results"), await count("answers"), await count("chat_sessions")]).toEqual([
    2, 1, 0,
  ])
  expect(await runJob(db, "remove_bots")).toEqual({ bots: 0, results: 0 })
})

test("drafts that a restore replaced are deleted after 400 days, unless kept on request", async () => {
  const botId = await insertDraft(db, { workspaceId })
  const keep = async (number: number, days: number, origin: VersionOrigin) => {
    const id = newUuid()
    const facts = { schemaVersion: "6", contentHash: randomBytes(32), payload: "{}" }
    const row = { id, botId, number, origin, createdAt: ago(days * dayMs), ...facts }
    await kysely.insertInto("botVersions").values(row).execute()
    return id
  }
  await keep(1, 500, "publish")
  await keep(2, 500, "keep")
  await keep(3, 401, "restore")
  await keep(4, 399, "restore")
  // Live versions stay, with any origin.
  const live = await keep(5, 500, "restore")
  await kysely.insertInto("publishedBots").values({ id: newId(), botId, versionId: live }).execute()
  expect(await runJob(db, "remove_versions")).toEqual({ versions: 1 })
  const { rows } = await pool.query("select number from bot_versions order by number")
  expect(rows.map(({ number }) => number)).toEqual([1, 2, 4, 5])
})

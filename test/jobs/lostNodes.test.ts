/** When a node of a cluster does not answer, jobs continue with the other shards. */
import { describe, expect, test } from "vitest"
import { listDueTimers } from "../../src/db/chats/timers.ts"
import { failureOf } from "../../src/db/connection/databaseFailures.ts"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { handOut } from "../../src/jobs/deliveries/handOut.ts"
import { firstUuidAt, newUuid } from "../../src/lib/ids.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { insertDraft, insertTeam, recordChat } from "../support/people.ts"

const database = await testDatabase()
const { pool } = database

/** As the extension words it. */
const loss = Object.assign(
  new Error(
    "connection to the remote node parley@10.0.0.3:5432 failed with the following error: Connection refused",
  ),
  { code: "08006" },
)

/** The database as it is while statements over all shards fail. */
const broken: Db = {
  ...database,
  run: () => Promise.reject(loss),
  kysely: database.kysely.withPlugin({
    transformQuery({ node }) {
      if (node.kind === "SelectQueryNode" && JSON.stringify(node.from).includes('"outbox"'))
        throw loss
      // A change of a copied table needs every node.
      if (node.kind === "UpdateQueryNode" && JSON.stringify(node.table).includes('"workspaces"'))
        throw loss
      const text = node.kind === "RawNode" ? node.sqlFragments.join("") : ""
      if (/^\s*delete from (?!outbox)| from results r /.test(text)) throw loss
      return node
    },
    transformResult: async ({ result }) => result,
  }),
}

/** On a single server, the functions of the extension: its table is the shard that answers, another does not. */
const shards = `create function run_command_on_placements(one regclass, command text)
  returns table (success boolean, result text) language plpgsql as $$ begin
    execute format(command, one) into result;
    return query select true, result union all select false, 'failed to connect to 10.0.0.3:5432';
  end $$;
create function run_command_on_colocated_placements(one regclass, other regclass, command text)
  returns table (success boolean, result text) language plpgsql as $$ begin
    execute format(command, one, other) into result;
    return query select true, result union all select false, 'failed to connect to 10.0.0.3:5432';
  end $$`
if (!isOnCluster) await pool.query(shards)

test("timers that are due are listed, the longest first, without those of busy bots", async () => {
  expect(failureOf(loss)).toBe("partial")
  const ids = [newUuid(), newUuid(), newUuid()]
  for (const [index, resultId] of ids.entries()) {
    const botId = index === 1 ? "busy" : "idle"
    await pool.query(
      `insert into chat_sessions (result_id, id, bot_id, version_id, state)
      values ($1, $2, $3, $4, '{}')`,
      [resultId, `s${index}`, botId, newUuid()],
    )
    await pool.query(
      "insert into timers (result_id, session_id, due_at) values ($1, $2, now() - $3 * interval '1 minute')",
      [resultId, `s${index}`, index + 1],
    )
  }
  await pool.query(
    "insert into timers (result_id, session_id, due_at) values ($1, 'later', now() + interval '1 hour')",
    [newUuid()],
  )
  const listing = { limit: 10, without: { botIds: ["busy"], creatorIds: [] } }
  const listed = await listDueTimers(broken, listing)
  expect(listed.map(({ sessionId }) => sessionId)).toEqual(["s2", "s0"])
  expect(listed).toEqual(await listDueTimers(database, listing))
  expect(
    await listDueTimers(broken, { limit: 1, without: { botIds: [], creatorIds: [] } }),
  ).toHaveLength(1)
})

test("events are handed out, each once", async () => {
  const add = (type: string) =>
    pool.query(
      `insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload)
      values ($1, $2, 'w', 'b', $3, 1, '{"a": 1}')`,
      [newUuid(), newUuid(), type],
    )
  await pool.query("insert into workspaces (id, name) values ('w', 'W')")
  await pool.query(
    `insert into webhook_endpoints (id, workspace_id, types, expires_at)
    values ('e', 'w', '{chat.wanted}', now() + interval '1 hour')`,
  )
  await add("chat.wanted")
  await add("chat.other")
  expect(await handOut(broken, 500)).toBe(false)
  expect((await pool.query("select from outbox")).rowCount).toBe(0)
  const { rows } = await pool.query("select type from deliveries")
  expect(rows).toEqual([{ type: "chat.wanted" }])
  await add("chat.wanted")
  expect(await handOut(broken, 500)).toBe(false)
  expect((await pool.query("select from deliveries")).rowCount).toBe(2)
})

const dayMs = 86_400_000
const hourMs = 3_600_000

test("expired data is deleted", async () => {
  const ago = (days: number) => new Date(Date.now() - days * dayMs)
  const oldId = firstUuidAt(ago(100).getTime())
  for (const [id, days] of [
    ["old", 3],
    ["waits", 3],
    ["young", 1],
  ] as const) {
    await pool.query(
      `insert into chat_sessions (result_id, id, bot_id, version_id, state, updated_at)
      values ($1, $2, 'b', $1, '{}', $3)`,
      [oldId, id, ago(days)],
    )
  }
  await pool.query(
    "insert into timers (result_id, session_id, due_at) values ($1, 'waits', now())",
    [oldId],
  )
  for (const days of [91, 89]) {
    await pool.query(
      `insert into logs (result_id, id, status, description, created_at)
      values ($1, gen_random_uuid(), 'info', 'x', $2)`,
      [oldId, ago(days)],
    )
  }
  for (const days of [2, 0]) {
    await pool.query("insert into rate_limits (key, points, expire) values ($1, 1, $2)", [
      `limit ${days}`,
      Date.now() + (1 - days) * dayMs,
    ])
    await pool.query(
      `insert into start_keys (key_id, result_id, session_id, body_hash, created_at)
      values ($1, $1, 's', sha256('x'), $2)`,
      [newUuid(), ago(days)],
    )
  }
  expect(await runJob(broken, "purge_sessions")).toEqual({ sessions: 1 })
  const { rows: sessions } = await pool.query("select id from chat_sessions where result_id = $1", [
    oldId,
  ])
  expect(sessions.map(({ id }) => id).sort()).toEqual(["waits", "young"])
  expect(await runJob(broken, "purge_logs")).toEqual({ logs: 1 })
  expect(await runJob(broken, "purge_keys")).toMatchObject({ startKeys: 1, rateLimits: 1 })
})

describe("usage", () => {
  const month = Date.parse("2031-05-01T00:00:00Z")
  const nowMs = month + 10 * dayMs
  const count = (db: Db) => runJob(db, "count_usage", { now: () => nowMs })
  const stored = async () => {
    const { rows } = await pool.query(
      "select chats, settled from workspace_usage where period_start = '2031-05-01'",
    )
    return rows.map(({ chats, settled }) => ({ chats: Number(chats), settled: Number(settled) }))
  }
  const chat = (workspaceBot: string, atMs: number) =>
    recordChat(database, {
      botId: workspaceBot,
      startedAt: new Date(atMs),
      rows: { result: { variables: [], hasStarted: true, isCompleted: false } },
    })

  test("counts the chats that are seen, never fewer than before, and settles none", async () => {
    const workspaceId = await insertTeam(database, [])
    const botId = await insertDraft(database, { workspaceId })
    await chat(botId, nowMs - 5 * dayMs)
    await chat(botId, nowMs - hourMs / 2)
    await count(broken)
    expect(await stored()).toEqual([{ chats: 2, settled: 0 }])
    await count(database)
    expect(await stored()).toEqual([{ chats: 2, settled: 1 }])
    // As if these were on the node that is lost.
    await pool.query("update results set has_started = false where bot_id = $1", [botId])
    await count(broken)
    expect(await stored()).toEqual([{ chats: 2, settled: 1 }])
    await chat(botId, nowMs - hourMs / 2)
    await chat(botId, nowMs - hourMs / 2)
    await count(broken)
    expect(await stored()).toEqual([{ chats: 3, settled: 1 }])
    await pool.query("update results set has_started = true where bot_id = $1", [botId])
    await count(database)
    expect(await stored()).toEqual([{ chats: 4, settled: 1 }])
  })
})

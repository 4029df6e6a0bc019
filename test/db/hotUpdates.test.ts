/** That rows which change with every turn change in place (HOT): no index has to be written to. */
import { expect, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { testDatabase, testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const catalog = await testDatabase({ poolSize: 1 })

const chats = 40
const turns = 12

/**
 * A full page costs some, and more of them while another process may still see what it holds; an
 * index on a changing column would cost all of them.
 */
const share = 0.2

type Updates = { updates: number; hot: number }

test("every turn updates its session and its result in place", async () => {
  const url = await testDatabaseUrl()
  // One connection, and one turn after the other: what a transaction at the same time may still see
  // cannot make room, nor can what the same transaction wrote.
  const server = await testServer({ DATABASE_URL: url, PARLEY_DB_POOL_SIZE: "1" })
  const flow = bot(group("A", say("Go on, {{Said}}"), ask.text({ saves: "Said", to: "A" })))
  const { publicId } = await publishBot(server, flow)
  const open = Array.from({ length: chats }, () => chatOver(server, publicId))
  const running = await Promise.all(open)
  for (let turn = 0; turn < turns; turn++) {
    for (const { say } of running) await say(`something for turn ${turn}`)
  }
  // A connection reports what it has counted when it ends, at the latest.
  await server.stop()
  const { chat_sessions: sessions, results } = await updatesOf(url, ["chat_sessions", "results"])
  expect(sessions?.updates).toBe(chats * turns)
  expect(sessions?.hot).toBeGreaterThanOrEqual(share * chats * turns)
  expect(results?.updates).toBe(chats * turns)
  // The first answer of each brings the result into the list, which is an index.
  expect(results?.hot).toBeGreaterThanOrEqual(share * chats * (turns - 1))
})

async function updatesOf(url: string, tables: string[]): Promise<Record<string, Updates>> {
  const db = await openDatabase({ url, poolSize: 1 })
  const { rows } = await db.pool.query(
    `select relname, n_tup_upd as updates, n_tup_hot_upd as hot from pg_stat_user_tables
     where relname = any($1)`,
    [tables],
  )
  await db.close()
  return Object.fromEntries(rows.map(({ relname, updates, hot }) => [relname, { updates, hot }]))
}

test("tables whose rows change leave room on their pages", async () => {
  const { rows } = await catalog.pool.query(
    `select relname as table, (select option_value::int from pg_options_to_table(reloptions)
      where option_name = 'fillfactor') as fillfactor
    from pg_class where relname in ('chat_sessions', 'preview_sessions', 'results') order by 1`,
  )
  expect(rows).toEqual([
    { table: "chat_sessions", fillfactor: 50 },
    { table: "preview_sessions", fillfactor: 50 },
    { table: "results", fillfactor: 80 },
  ])
})

test("no index knows a column that changes from turn to turn", async () => {
  // Keys, included columns and conditions alike keep an update from happening in place.
  const { rows } = await catalog.pool.query(
    `select c.relname as table, a.attname as column, i.indexrelid::regclass::text as index
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    where c.relname in ('chat_sessions', 'preview_sessions', 'results', 'webhook_calls')
      and (a.attnum = any(i.indkey)
        or exists (select from pg_depend d where d.objid = i.indexrelid
          and d.refobjid = c.oid and d.refobjsubid = a.attnum))
    order by 1, 2, 3`,
  )
  const known = rows.map(({ table, column }) => `${table}.${column}`)
  expect([...new Set(known)]).toEqual([
    "chat_sessions.id",
    "chat_sessions.result_id",
    "preview_sessions.id",
    "preview_sessions.is_anonymous",
    "preview_sessions.owner",
    "preview_sessions.owner_user_id",
    "results.bot_id",
    // These two change once in the life of a result.
    "results.has_started",
    "results.is_archived",
    "results.result_id",
    "webhook_calls.created_at",
    "webhook_calls.id",
    "webhook_calls.result_id",
  ])
})

/** When a node of a cluster does not answer, timers fire and events go out from the shards that do. */
import { expect, test } from "vitest"
import { listDueTimers } from "../../src/db/chats/timers.ts"
import { failureOf } from "../../src/db/connection/failures.ts"
import type { Db } from "../../src/db/connection/open.ts"
import { newUuid } from "../../src/ids.ts"
import { handOut } from "../../src/jobs/deliveries/handOut.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"

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

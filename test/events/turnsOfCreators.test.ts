/** Events of one author never delay those of others, for any number of events and workspaces. */
import { beforeEach, describe, expect, test } from "vitest"
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { handOut, newRound } from "../../src/jobs/deliveries/handOut.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabase } from "../support/database.ts"

const database = await testDatabase()
const { pool } = database
const greedy = Array.from({ length: 12 }, (_, index) => `greedy${index}`)

await pool.query(
  "insert into users (id, email) values ('greedy', 'g@x.example'), ('ann', 'a@x.example')",
)
await pool.query(
  `insert into workspaces (id, name, creator_id)
  select id, 'W', case when id = 'modest' then 'ann' else 'greedy' end from unnest($1::text[]) id`,
  [[...greedy, "modest"]],
)
await pool.query(
  `insert into webhook_endpoints (id, workspace_id, types, expires_at)
  select 'e' || id, id, '{chat.said}', now() + interval '1 hour' from unnest($1::text[]) id`,
  [[...greedy, "modest"]],
)

beforeEach(async () => {
  await pool.query("delete from outbox")
  await pool.query("delete from deliveries")
})

/** Has events wait, the first workspace's first. */
async function write(workspaceIds: readonly string[], events: number, letters = 1): Promise<void> {
  await pool.query(
    `insert into outbox (result_id, id, workspace_id, bot_id, type, sequence, payload, created_at)
    select gen_random_uuid(), gen_random_uuid(), ($1::text[])[1 + n % cardinality($1::text[])], 'b',
      'chat.said', 1, jsonb_build_object('text', repeat('x', $3)), now()
    from generate_series(1, $2) n`,
    [workspaceIds, events, letters],
  )
}

/** How many events of others than Ann a round hands out, and whether it hands out Ann's. */
async function round(db: Db = database): Promise<{ others: number; hasAnns: boolean }> {
  const turns = newRound()
  while (await handOut(db, 500, turns));
  const { rows } = await pool.query("select endpoint_id as id from deliveries")
  const others = rows.filter(({ id }) => id !== "emodest").length
  return { others, hasAnns: others < rows.length }
}

describe("a round in which events are handed out", () => {
  test("has a turn for each author, whose many workspaces count as one", async () => {
    await write(greedy, 10_000)
    await write(["modest"], 1)
    expect(await round()).toEqual({ others: 1_000, hasAnns: true })
    await write(["modest"], 1)
    expect(await round()).toEqual({ others: 2_000, hasAnns: true })
  })

  test("counts the bytes of large events, too", async () => {
    await write(greedy, 40, 300_000)
    await write(["modest"], 1)
    const { others, hasAnns } = await round()
    expect(hasAnns).toBe(true)
    expect(others).toBeLessThan(12)
  })

  test("leaves nothing of an author in the rounds after it", async () => {
    await write(greedy, 2_100)
    const sums = [await round(), await round(), await round()].map(({ others }) => others)
    expect(sums).toEqual([1_000, 2_000, 2_100])
  })

  test.skipIf(isOnCluster)("continues with the shards that answer", async () => {
    const loss = Object.assign(
      new Error(
        "connection to the remote node parley@10.0.0.3:5432 failed with the following error: Connection refused",
      ),
      { code: "08006" },
    )
    await pool.query(`create or replace function run_command_on_placements(one regclass, command text)
      returns table (success boolean, result text) language plpgsql as $$ begin
        execute format(command, one) into result;
        return query select true, result;
      end $$`)
    const broken: Db = {
      ...database,
      kysely: database.kysely.withPlugin({
        transformQuery({ node }) {
          if (node.kind === "SelectQueryNode" && JSON.stringify(node.from).includes('"outbox"'))
            throw loss
          return node
        },
        transformResult: async ({ result }) => result,
      }),
    }
    await write(greedy, 3_000)
    await write(["modest"], 1)
    expect(await round(broken)).toEqual({ others: 1_000, hasAnns: true })
  })
})

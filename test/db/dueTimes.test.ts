/** What is due now is found now, although times are stored in milliseconds and may be rounded up. */
import { sql } from "kysely"
import { expect, test } from "vitest"
import type { Statement } from "../../src/db/connection/hotQuery.ts"
import { inRolledBackTransaction } from "../../src/db/connection/openDatabase.ts"
import { listDue } from "../../src/db/events/deliveries.ts"
import { claimJob } from "../../src/db/jobs/jobs.ts"
import { newUuid } from "../../src/lib/ids.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()

/** Enough to meet a moment that is rounded up; within a transaction no time passes. */
const rounds = Array.from({ length: 20 }, (_, round) => round)

test("a job is due from the moment at which it is known", async () => {
  for (const _ of rounds) {
    const client = await db.pool.connect()
    await client.query("begin")
    await client.query("insert into jobs (name) values ('test')")
    const run = async <Row>({ text }: Statement, values: unknown[]) =>
      (await client.query(text, values)).rows as Row[]
    const claimed = await claimJob({ ...db, run }, { names: ["test"], seconds: 60, by: "one" })
    await client.query("rollback")
    client.release()
    expect(claimed).toBe("test")
  }
})

test("a delivery is due from the moment at which it is handed out", async () => {
  await db.pool.query("insert into workspaces (id, name) values ('w', 'Workspace')")
  await db.pool.query(
    `insert into webhook_endpoints (id, workspace_id, url, types, data, nonce, key_id)
    values ('e', 'w', 'https://a.example', '{}', '', decode(repeat('00', 12), 'hex'), 1)`,
  )
  const delivery = { endpointId: "e", type: "ping", body: "{}", nextAt: sql<Date>`now()` }
  for (const _ of rounds) {
    const due = await inRolledBackTransaction(db, async (within) => {
      const ids = { id: newUuid(), eventId: newUuid(), resultId: newUuid() }
      await within.kysely
        .insertInto("deliveries")
        .values({ ...delivery, ...ids })
        .execute()
      return await listDue(within, { limit: 1, perEndpoint: 1, busy: [], underWay: [] })
    })
    expect(due).toHaveLength(1)
  }
})

/** A database that takes no writes, or has no room: what callers are told, and recovery by itself. */
import { chmod, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { openConnectionPool } from "../../src/db/connection/connectionPool.ts"
import { startEmbedded } from "../../src/postgres/startEmbedded.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { type Reply, testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

// A server of its own, because its settings are changed for all.
const folder = await mkdtemp(join(tmpdir(), "parley-failing-"))
await chmod(folder, 0o755)
const options = { dataFolder: folder, durable: false, settings: ["fsync=off"] }
const database = await startEmbedded(options)
const operator = openConnectionPool({ url: database.url, size: 1, statementTimeoutMs: 10_000 })
afterAll(async () => {
  await operator.end()
  await database.stop()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
const server = await testServer({ DATABASE_URL: database.url })
const flow = bot(
  group("Loop", ask.text({ saves: "Said" }), say("You said {{Said}}", { to: "Loop" })),
)
const { botId, publicId } = await publishBot(server, flow)
const readOnly = "The database takes no writes now"
const full = /^The disk of the database is full/

let chat = await chatOver(server, publicId)
beforeEach(async () => {
  chat = await chatOver(server, publicId)
})

const ready = () => server.send("GET", "/readyz")
const rename = (name: string) =>
  server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: { name } } })
const facts = ({ status, headers, body }: Pick<Reply, "status" | "headers" | "body">) => ({
  status,
  retryAfter: headers.get("retry-after"),
  message: body.message,
})

/** Everything that is connected now is cut; what connects from then on meets the setting. */
async function demote(): Promise<void> {
  await operator.query(`alter database postgres set default_transaction_read_only = on`)
  await operator.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley' and pid <> pg_backend_pid()",
  )
}

// First, because connections are given up once a second at most, and every test asks for it.
test("after a failover one refusal is enough to find the new primary with every connection", async () => {
  await demote()
  const read = () => server.send("GET", `/api/v1/bots/${botId}`)
  const readAll = () => Promise.all(Array.from({ length: 12 }, read))
  await eventually(async () =>
    expect((await readAll()).map(({ status }) => status)).toEqual(Array(12).fill(200)),
  )
  // Whoever connects from now on is connected to a primary; the connections so far are not.
  await operator.query("alter database postgres reset default_transaction_read_only")
  expect(facts(await rename("Lost"))).toMatchObject({ status: 503, message: readOnly })
  const all = await Promise.all(Array.from({ length: 12 }, (_, n) => rename(`Kept ${n}`)))
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200))
  expect((await chat.say("kept")).status).toBe(200)
  expect((await ready()).status).toBe(200)
})

test("one that takes no writes is a 503 that says so, and not ready until it does again", async () => {
  const set = async (value: "on" | "off") => {
    await operator.query(`alter system set default_transaction_read_only = ${value}`)
    await operator.query("select pg_reload_conf()")
  }
  await set("on")
  // Processes of the server read their settings a moment later.
  await eventually(async () => expect((await ready()).status).toBe(503))
  expect(facts(await chat.say("lost"))).toEqual({ status: 503, retryAfter: "5", message: readOnly })
  expect(facts(await rename("Lost"))).toEqual({ status: 503, retryAfter: "5", message: readOnly })
  expect(facts(await ready())).toEqual({ status: 503, retryAfter: "5", message: readOnly })
  expect((await server.send("GET", `/api/v1/bots/${botId}`)).status).toBe(200)
  expect((await server.send("GET", "/healthz")).status).toBe(200)
  await set("off")
  await eventually(async () => expect((await ready()).status).toBe(200))
  expect((await chat.say("kept")).status).toBe(200)
  expect((await rename("Kept")).status).toBe(200)
})

test("readiness alone finds the new primary, without a request", async () => {
  await demote()
  await eventually(async () => expect(facts(await ready()).message).toBe(readOnly))
  await operator.query("alter database postgres reset default_transaction_read_only")
  await eventually(async () => expect((await ready()).status).toBe(200))
})

describe("one whose disk is full", () => {
  test("is a 503 with a sentence of its own, and not ready until a write works again", async () => {
    const { rows } = await operator.query("select pg_get_functiondef('save_turn'::regproc) as text")
    await operator.query(`create function no_room() returns event_trigger language plpgsql as $$
      begin raise exception 'no space left on device' using errcode = '53100'; end $$`)
    await operator.query(`create event trigger no_room on ddl_command_start
      when tag in ('CREATE TABLE AS') execute function no_room()`)
    await operator.query(
      String(rows[0].text).replace(
        /\bbegin\b/i,
        "begin raise exception 'no space left on device' using errcode = '53100';",
      ),
    )
    expect((await ready()).status).toBe(200)
    const refused = facts(await chat.say("lost"))
    expect(refused).toMatchObject({ status: 503, retryAfter: "30" })
    expect(refused.message).toMatch(full)
    for (const _ of [1, 2]) {
      expect(facts(await ready())).toEqual(refused)
    }
    await operator.query("drop event trigger no_room")
    expect((await ready()).status).toBe(200)
    await operator.query(rows[0].text)
    expect((await chat.say("kept")).status).toBe(200)
    expect((await ready()).status).toBe(200)
  })

  test("is found to have room by a write that leaves nothing behind", async () => {
    const { rows } = await operator.query(
      "select count(*)::int as n from pg_class where relname = 'parley_room'",
    )
    expect(rows).toEqual([{ n: 0 }])
  })
})

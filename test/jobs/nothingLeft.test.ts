/** What bots keep for days, or not at all: afterwards nothing of a person is in any column or file. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { readNamingKey } from "../../src/db/people/secrets.ts"
import { createFileStore } from "../../src/effects/files/fileStore.ts"
import { createLocalStorage } from "../../src/effects/files/localStorage.ts"
import { ask, bot, group, link, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { runJob } from "../support/jobs.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { columnsWith } from "../support/tablesWith.ts"
import { columnsOfTraces, filesWith, holdEvents, leaveTraces, person } from "../support/traces.ts"

const dayMs = 86_400_000

/** Deleted after a day, regardless of retention: unused keys, and previews. */
const ofOneDay = [
  "conversations.key",
  "preview_responses.body",
  "preview_responses.key",
  "preview_sessions.state",
  "preview_states.state",
]

async function openScene() {
  const databaseUrl = await testDatabaseUrl()
  const uploads = mkdtempSync(join(tmpdir(), "parley-kept-"))
  onTestFinished(() => rmSync(uploads, { recursive: true, force: true }))
  const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
  await holdEvents(db)
  const server = await testServer({ DATABASE_URL: databaseUrl, PARLEY_DATA: uploads })
  const files = createFileStore({
    storage: createLocalStorage(join(uploads, "files")),
    publicUrl: server.address,
    keys: [Buffer.alloc(32)],
    folderKey: await readNamingKey(db),
  })
  const run = (job: string, ms: number) => runJob(db, job, { files, now: () => Date.now() + ms })
  /** As if all chats had fallen silent long ago, and were cleared away. */
  const endChats = async () => {
    await db.pool.query("delete from chat_sessions")
    await db.pool.query("delete from timers")
  }
  return { server, db, run, endChats, filesLeft: () => filesWith(uploads, person) }
}

test("a bot that stores nothing leaves nothing once its chats are over", async () => {
  const { server, db, run, endChats, filesLeft } = await openScene()
  await leaveTraces({ server, db, retentionDays: 0 })
  await endChats()
  await run("forget_results", 61_000)
  expect(await columnsWith(db, person)).toEqual(ofOneDay)
  expect(await filesLeft()).toEqual([])
  await run("remove_keys", dayMs + 60_000)
  await run("purge_previews", dayMs + 60_000)
  expect(await columnsWith(db, person)).toEqual([])
})

test("results that are kept for days leave nothing after them", async () => {
  const { server, db, run, endChats, filesLeft } = await openScene()
  await leaveTraces({ server, db, retentionDays: 10 })
  await endChats()
  await run("forget_results", 9 * dayMs)
  expect(await columnsWith(db, person)).toEqual(
    columnsOfTraces.filter((name) => name !== "chat_sessions.state"),
  )
  await run("forget_results", 11 * dayMs)
  expect(await columnsWith(db, person)).toEqual(ofOneDay)
  expect(await filesLeft()).toEqual([])
})

test("a bot that is gone leaves nothing", async () => {
  const { server, db, run, endChats, filesLeft } = await openScene()
  await leaveTraces({ server, db })
  await endChats()
  await db.pool.query("update bots set is_archived = true, archived_at = now()")
  await run("remove_bots", 31 * dayMs)
  await run("remove_keys", 31 * dayMs)
  await run("purge_previews", 31 * dayMs)
  expect(await columnsWith(db, person)).toEqual([])
  expect(await filesLeft()).toEqual([])
})

test("a linked bot that stores nothing leaves nothing with the chat of its parent", async () => {
  const { server, db, run } = await openScene()
  const { workspaceId } = server
  await server.send("POST", `/api/v1/workspaces/${workspaceId}/webhookEndpoints`, {
    body: { url: "https://events.example/", types: ["answer.submitted"] },
  })
  const settings = { sessions: { retentionDays: 0 } }
  const kid = bot({ settings }, group("K", ask.text({ saves: "Kid" }), say("Kid {{Kid}}")))
  const { botId } = await publishBot(server, kid)
  const parent = bot(group("P", say("Hi"), link(botId, { mergeResults: false }), say("Bye")))
  const { publicId } = await publishBot(server, parent)
  const chat = await chatOver(server, publicId)
  await chat.say(person, { "idempotency-key": "k" })
  expect(await columnsWith(db, person)).toEqual(
    expect.arrayContaining(["answers.content", "idempotency.body", "outbox.payload"]),
  )
  await run("forget_results", 61_000)
  expect(await columnsWith(db, person)).toEqual([])
})

test("a key outlives a first message that failed by a day, and one that was answered as long as its result", async () => {
  const { server, db, run, endChats } = await openScene()
  await leaveTraces({ server, db })
  await endChats()
  const keys = async () => {
    const { rows } = await db.pool.query<{ key: string }>("select key from conversations")
    return rows.map(({ key }) => key).toSorted()
  }
  expect(await keys()).toEqual([person, person, "telegram:1"])
  expect(await run("remove_keys", dayMs - 60_000)).toEqual({ keys: 0 })
  expect(await run("remove_keys", dayMs + 60_000)).toEqual({ keys: 1 })
  expect(await keys()).toEqual([person, "telegram:1"])
  await run("purge_keys", 2 * dayMs)
  expect(await keys()).toEqual([person, "telegram:1"])
})

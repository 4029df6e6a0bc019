/** Starts that go on with an earlier result: once that is erased, nothing of it comes back. */
import { expect, test } from "vitest"
import { saveTurn } from "../../src/db/chats/sessions.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { deleteResults } from "../../src/db/results/purge.ts"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"
import { emptyResults } from "../../src/results/emptyResults.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { isOnCluster } from "../support/cluster.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { untilLockWaits } from "../support/lockWaits.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { tablesWith } from "../support/tablesWith.ts"

const databaseUrl = await testDatabaseUrl()
const server = await testServer({ DATABASE_URL: databaseUrl, PARLEY_ALLOW_HOSTS: "127.0.0.1" })
const db = await openDatabase({ url: databaseUrl, poolSize: 8 })
const peer = await startPeer()
const { workspaceId } = server

const person = "Ann.Secret@example.com"

const settings = { general: { rememberUser: { isEnabled: true } } }
const said = bot(
  { settings, variables: { Mail: null } },
  group("g", say("Hi {{Mail}}"), ask.text({ saves: "Mail" }), ask.text()),
)
const begun = async (flow: object) => {
  const { botId, publicId } = await publishBot(server, flow)
  const chat = await chatOver(server, publicId)
  await chat.say(person)
  const { resultId } = chat.step
  const start = (headers?: Record<string, string>) =>
    server.send("POST", `/api/v1/bots/${publicId}/startChat`, {
      token: null,
      body: { resultId },
      ...(headers && { headers }),
    })
  const forget = async () => {
    const body = { value: person, botIds: [botId], dryRun: false }
    const erased = await server.send("POST", `/api/v1/workspaces/${workspaceId}/erase`, { body })
    expect(erased.body).toEqual({ bots: [{ botId, results: 1 }] })
  }
  const deleteForGood = () => deleteResults(db, [{ resultId, botId }])
  return { resultId, start, forget, deleteForGood }
}

test("a start after an erasure shows nothing of it, and begins a result of its own", async () => {
  const { resultId, start, forget } = await begun(said)
  expect(JSON.stringify((await start()).body)).toContain(person)
  await forget()
  const { status, body } = await start()
  expect(status).toBe(200)
  expect(body.resultId).not.toBe(resultId)
  expect(JSON.stringify(body)).not.toContain(person)
  expect(await tablesWith(db, person)).toEqual([])
})

test("a start after an erasure is not answered again under its key", async () => {
  const { start, forget } = await begun(said)
  const key = { "idempotency-key": "start" }
  expect(JSON.stringify((await start(key)).body)).toContain(person)
  await forget()
  const { status, body } = await start(key)
  expect(status).toBe(404)
  expect(JSON.stringify(body)).not.toContain(person)
  expect(await tablesWith(db, person)).toEqual([])
})

test.each([
  ["forget", undefined],
  ["forget", { "idempotency-key": "slow" }],
  ["deleteForGood", undefined],
  ["deleteForGood", { "idempotency-key": "slower" }],
] as const)("a start under way stores nothing after %s: %o", async (way, headers) => {
  const call = block("Webhook", { webhook: { url: peer.url } })
  const slow = bot(
    { settings, variables: { Mail: null } },
    group("g", call, say("Hi {{Mail}}"), ask.text({ saves: "Mail" }), ask.text()),
  )
  peer.answers(json({}))
  const { start, ...ways } = await begun(slow)
  let answer = () => {}
  const asked = new Promise<void>((resolve) => {
    peer.answers((response) => {
      answer = () => response.writeHead(200).end("{}")
      resolve()
    })
  })
  const starting = start(headers)
  await asked
  await ways[way]()
  answer()
  expect((await starting).status).toBe(404)
  expect(await tablesWith(db, person)).toEqual([])
})

/** Deletes a result of a bot, in both ways. */
const deletions = {
  "an erasure": ({ resultId, lastChatSessionId, botId }: Deletion) =>
    emptyResults(db, {
      results: [{ resultId, botId, lastChatSessionId }],
      botIds: [botId],
      workspaceBotIds: [botId],
    }),
  "a deletion for good": ({ resultId, botId }: Deletion) =>
    deleteResults(db, [{ resultId, botId }]),
}

type Deletion = { resultId: string; lastChatSessionId: string; botId: string }

// On a cluster the locks are those of the workers.
test.skipIf(isOnCluster).each(Object.entries(deletions))(
  "what is being stored during %s is waited for, and goes",
  async (_, remove) => {
    const { botId } = await publishBot(server, said)
    const resultId = newUuid()
    const result = { variables: [], hasStarted: true, isCompleted: false }
    const rows = { botId, versionId: newUuid(), result }
    const first = { resultId, sessionId: newSessionId(resultId), revision: null, state: "{}", rows }
    expect(await saveTurn(db, first)).toBe(true)
    const client = await db.pool.connect()
    let removing: Promise<unknown> | undefined
    try {
      await client.query("begin")
      const sessionId = newSessionId(resultId)
      const step = { step: 1, shown: [{ t: person }] }
      const turn = JSON.stringify({ botId, versionId: rows.versionId, step, continues: true })
      await client.query("select save_turn($1, $2, null, $3, $4, null, null, null)", [
        resultId,
        sessionId,
        person,
        turn,
      ])
      removing = remove({ resultId, lastChatSessionId: first.sessionId, botId })
      await untilLockWaits(client)
      await client.query("commit")
    } finally {
      client.release(true)
    }
    await removing
    expect(await tablesWith(db, person)).toEqual([])
    const again = { ...rows, continues: "earlier" as const }
    const late = { ...first, sessionId: newSessionId(resultId), rows: again }
    expect(await saveTurn(db, late)).toBe(false)
  },
)

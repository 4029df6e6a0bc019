/** Erasing reaches the bots of the caller's workspace, whatever the call or its cursor names. */
import { expect, test } from "vitest"
import { z } from "zod"
import { erasePreviews, listLinked, partSize, searchAmong } from "../../src/db/results/erasure.ts"
import type { ResultOfChat } from "../../src/db/results/resultAddress.ts"
import { emptyResultRows } from "../../src/db/results/results.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"
import { archiveResults } from "../../src/results/archiveResults.ts"
import { emptyResults } from "../../src/results/emptyResults.ts"
import { cursorsOf } from "../../src/routers/cursor.ts"
import { ask, bot, group, link } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import type { TestServer } from "../support/server.ts"
import {
  database,
  foreignWorkspaceId,
  holdings,
  marker,
  newTarget,
  server,
  tokens,
} from "./twoTenants.ts"

/** The service as the stranger sees it. */
const stranger: TestServer = {
  ...server,
  send: (method, path, sent) => server.send(method, path, { token: tokens.stranger, ...sent }),
}

const of = await newTarget()
const said = { message: marker }
await server.send("POST", `/api/v1/sessions/${of.fileSessionId}/continueChat`, { body: said })
const keyed = `/api/v1/bots/${of.botId}/conversations/${encodeURIComponent(marker)}/messages`
await server.send("POST", keyed, { body: said })
await server.send("PATCH", `/api/v1/bots/${of.botId}/conversations/${marker}`, {
  body: { variables: { [marker]: marker } },
})
const previewed = await server.send("POST", `/api/v1/bots/${of.botId}/preview/startChat`, {
  body: {},
})
const clientLogs = [{ description: marker }]
await server.send("POST", `/api/v1/sessions/${of.sessionId}/clientLogs`, { body: { clientLogs } })
const kid = await publishBot(server, bot(group("K", ask.text())))
const parent = await publishBot(
  server,
  bot(group("P", ask.text(), link(kid.botId, { mergeResults: false }))),
)
const linked = await chatOver(server, parent.publicId)
await linked.say(marker)
await linked.say(marker)
const mine = await publishBot(stranger, bot(group("A", ask.text({ saves: "Said" }))))

const erasePath = `/api/v1/workspaces/${foreignWorkspaceId}/erase`
const firstResult = "00000000-0000-0000-0000-000000000000"

/** Everything of the victim that an erasure by bot could find. */
const { rows: found } = await database.pool.query<ResultOfChat>(
  `select result_id as "resultId", bot_id as "botId", last_chat_session_id as "lastChatSessionId"
  from results
  where bot_id in (select id from bots where workspace_id = $1)`,
  [of.workspaceId],
)
const resultIds = found.map(({ resultId }) => resultId)

test("a cursor that names a bot or chats of others is refused, sealed or not", async () => {
  const before = await holdings()
  const places = [
    { botId: of.botId },
    { botId: of.botId, afterId: firstResult },
    { sessionId: of.sessionId, resultId: of.resultId },
  ]
  for (const place of places) {
    const cursor = Buffer.from(JSON.stringify(place)).toString("base64url")
    const body = { value: marker, cursor, dryRun: false }
    const reply = await stranger.send("POST", erasePath, { body })
    expect(reply.status).toBe(400)
    expect(reply.body.message).toContain("cursor is not one of this list")
  }
  expect(await holdings()).toEqual(before)
})

test("a place of others would find nothing, even if it could be sealed", async () => {
  const before = await holdings()
  const cursorCipher = createCipher(["a secret that only tests know of"], "cursors")
  for (const place of [
    { botId: of.botId },
    { sessionId: "", resultId: firstResult },
    { sessionId: of.sessionId, resultId: firstResult },
  ]) {
    const list = ["eraseData", foreignWorkspaceId, marker, undefined, undefined, false] as const
    const { nextCursor: cursor } = cursorsOf({ cursorCipher }, list, z.unknown()).write(place)
    const body = { value: marker, cursor, dryRun: false }
    const reply = await stranger.send("POST", erasePath, { body })
    expect(reply).toMatchObject({ status: 200, body: { bots: [] } })
  }
  expect(await holdings()).toEqual(before)
})

test("a search continues for the same person only", async () => {
  await database.pool.query(
    `insert into results (result_id, bot_id, version_id, has_started)
    select gen_random_uuid(), $1, gen_random_uuid(), true from generate_series(1, $2::int)`,
    [mine.botId, partSize + 1],
  )
  const cursorCipher = createCipher(["a secret that only tests know of"], "cursors")
  const list = ["eraseData", foreignWorkspaceId, "ann", undefined, [mine.botId], true] as const
  const place = { botId: mine.botId }
  const { nextCursor: cursor } = cursorsOf({ cursorCipher }, list, z.unknown()).write(place)
  const sent = { value: "ann", botIds: [mine.botId], cursor }
  expect((await stranger.send("POST", erasePath, { body: sent })).status).toBe(200)
  for (const other of [{ value: "ben" }, { botIds: undefined }, { dryRun: false }]) {
    const reply = await stranger.send("POST", erasePath, { body: { ...sent, ...other } })
    expect(reply.status, JSON.stringify(other)).toBe(400)
  }
})

const reach = { botIds: [mine.botId], workspaceBotIds: [mine.botId] }

test("statements that erase pass over what other bots have", async () => {
  const before = await holdings()
  await emptyResults(database, { results: found, ...reach })
  await emptyResultRows(database, { botIds: [mine.botId], resultIds })
  const archived = { botId: mine.botId, selection: resultIds, workspaceBotIds: [mine.botId] }
  expect(await archiveResults({ db: database }, archived)).toBe(0)
  await erasePreviews(database, { botIds: [mine.botId], ids: [String(previewed.body.sessionId)] })
  expect(await holdings()).toEqual(before)
})

test("chats that began with bots of others stay, with their events", async () => {
  const before = await holdings()
  const resultId = newUuid()
  // As if a result of ours had been written to by their chats.
  const results = [of.sessionId, of.fileSessionId, newSessionId(of.resultId)].map((id) => ({
    resultId,
    botId: mine.botId,
    lastChatSessionId: id,
  }))
  await emptyResults(database, { results, ...reach })
  expect(await holdings()).toEqual(before)
})

test("statements that search pass over what other bots have", async () => {
  const words = [marker.toLowerCase()]
  const theirs = await searchAmong(database, { botIds: [of.botId], resultIds, words })
  expect(theirs).not.toEqual([])
  expect(await searchAmong(database, { botIds: [mine.botId], resultIds, words })).toEqual([])
  expect(await listLinked(database, { botIds: [kid.botId], resultIds })).toHaveLength(1)
  expect(await listLinked(database, { botIds: [mine.botId], resultIds })).toEqual([])
})

/** Idempotency-Key in previews, through two services on one database: as in live chats. */
import { expect, test } from "vitest"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot, type Step } from "../support/publish.ts"
import { letArrive, testServer } from "../support/server.ts"
import { eventually, openLatch } from "../support/waiting.ts"

const database = await testDatabase()
const variables = { DATABASE_URL: database.url, PARLEY_ALLOW_HOSTS: "127.0.0.1" }
const here = await testServer(variables)
const there = await testServer(variables)
const upstream = await startPeer()

const tell = block("Webhook", {
  webhook: { url: `${upstream.url}/told`, method: "POST", body: "{{Said}}" },
  isCustomBody: true,
})
const flow = bot(
  group("Loop", ask.text({ saves: "Said" }), tell, say("Hi {{Said}}", { to: "Loop" })),
)
const telling = bot(group("A", tell, say("Told"), ask.text()))
const { botId } = await publishBot(here, flow)
const { botId: otherBotId } = await publishBot(here, flow)

type Call = {
  key: string
  body?: object
  server?: typeof here
  bot?: string
  token?: string | null
}

const start = ({ key, body, server = here, bot: of = botId, token = here.token }: Call) =>
  server.send("POST", `/api/v1/bots/${of}/preview/startChat`, {
    token,
    body: { bot: flow, ...body },
    headers: { "idempotency-key": key },
  })

const reply = (sessionId: string, message: string, key: string, server = here) =>
  server.send("POST", `/api/v1/sessions/${sessionId}/continueChat`, {
    token: null,
    body: { message },
    headers: { "idempotency-key": key },
  })

const isReplayed = ({ headers }: { headers: Headers }) =>
  headers.get("idempotent-replayed") === "true"

test.each([{}, { sessionId: "mine" }])("a start (%j) is carried out once", async (named) => {
  const others = openLatch()
  upstream.answers((response) => void others.isOpen.then(() => response.end("{}")))
  const body = { ...named, bot: telling }
  const replying = Promise.all(
    [here, there, here, there, here, there].map((server) =>
      start({ key: `once ${JSON.stringify(named)}`, body, server }),
    ),
  )
  await eventually(() => expect(upstream.received).toHaveLength(1))
  await letArrive(here, there)
  others.open()
  const replies = await replying
  for (const each of replies) expect(each).toMatchObject({ status: 200, body: replies[0]?.body })
  expect(replies.filter((each) => !isReplayed(each))).toHaveLength(1)
  expect(upstream.received).toHaveLength(1)
})

test("a key of a start is refused with another body, and is another's or another bot's own", async () => {
  const first = (await start({ key: "k" })).body as Step
  expect((await start({ key: "k", body: { isStreamEnabled: true } })).status).toBe(422)
  expect((await start({ key: "k", body: { sessionId: "x" } })).status).toBe(422)
  for (const other of [{ bot: otherBotId }, { token: null }]) {
    const reply = await start({ key: "k", ...other })
    expect([reply.status, isReplayed(reply)]).toEqual([200, false])
    expect(reply.body.sessionId).not.toBe(first.sessionId)
  }
})

test("a reply that answers nothing gets its response again, too", async () => {
  const asking = bot(group("A", ask.email(), say("Bye")))
  const { sessionId } = (await start({ key: "refused", body: { bot: asking } })).body as Step
  const first = await reply(sessionId, "no address", "refused")
  const again = await reply(sessionId, "no address", "refused", there)
  expect([isReplayed(first), isReplayed(again)]).toEqual([false, true])
  expect(again.body).toEqual(first.body)
})

test("a start that fails may be tried again under its key", async () => {
  const broken = { startFrom: { type: "group", groupId: "none" } }
  expect((await start({ key: "again", body: broken })).status).toBe(400)
  expect((await start({ key: "again", body: broken, server: there })).status).toBe(400)
  expect((await start({ key: "again" })).status).toBe(422)
})

test("a start is claimed for seconds, and renews its claim as long as it runs", async () => {
  let answerLate = () => {}
  upstream.answers((response) => {
    answerLate = () => response.end("{}")
  })
  const long = start({ key: "long", body: { bot: telling } })
  await eventually(() => expect(upstream.received).toHaveLength(1))
  const secondsLeft = async () => {
    const { rows } = await database.pool.query(
      "select extract(epoch from max(claimed_until) - now())::float as left from preview_starts",
    )
    return rows[0].left
  }
  expect(await secondsLeft()).toBeLessThanOrEqual(8)
  await database.pool.query("update preview_starts set claimed_until = now()")
  await eventually(async () => expect(await secondsLeft()).toBeGreaterThan(5))
  answerLate()
  expect((await long).status).toBe(200)
})

test("a turn is carried out once, and its key refuses another message", async () => {
  const others = openLatch()
  upstream.answers((response) => void others.isOpen.then(() => response.end("{}")))
  const { sessionId } = (await start({ key: "turn" })).body as Step
  const replying = Promise.all(
    [here, there, here, there].map((server) => reply(sessionId, "Ann", "t", server)),
  )
  await eventually(() => expect(upstream.received).toHaveLength(1))
  await letArrive(here, there)
  others.open()
  const replies = await replying
  for (const each of replies) expect(each).toMatchObject({ status: 200, body: replies[0]?.body })
  expect(replies.filter((each) => !isReplayed(each))).toHaveLength(1)
  expect(upstream.received).toHaveLength(1)
  expect((await reply(sessionId, "Bob", "t")).status).toBe(422)
  expect(JSON.stringify((await reply(sessionId, "Bob", "u")).body.messages)).toContain("Bob")
})

test("a preview that starts anew under its name knows nothing of the keys before", async () => {
  const named = { sessionId: "renewed" }
  const { sessionId } = (await start({ key: "first", body: named })).body as Step
  await reply(sessionId, "Ann", "t")
  expect(((await start({ key: "second", body: named })).body as Step).sessionId).toBe(sessionId)
  const next = await reply(sessionId, "Bob", "t")
  expect([next.status, isReplayed(next)]).toEqual([200, false])
  expect(isReplayed(await start({ key: "first", body: named }))).toBe(true)
})

test("2.9 a preview keeps the last twenty answers of its turns, and none once it is gone", async () => {
  upstream.answers((response) => response.end("{}"))
  const { sessionId } = (await start({ key: "many" })).body as Step
  const kept = async () => {
    const rows = await database.kysely
      .selectFrom("previewResponses")
      .select(["call", "key"])
      .where("sessionId", "=", sessionId)
      .execute()
    return rows.filter(({ call }) => call === "continue").map(({ key }) => key)
  }
  for (let count = 0; count < 23; count++) await reply(sessionId, "Ann", `n${count}`)
  const last = Array.from({ length: 20 }, (_, index) => `n${index + 3}`)
  expect((await kept()).toSorted()).toEqual(last.toSorted())
  await database.kysely.deleteFrom("previewSessions").where("id", "=", sessionId).execute()
  expect(await kept()).toEqual([])
})

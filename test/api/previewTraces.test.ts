/** Traces of previews over REST: what they tell, and whom. */
import { describe, expect, test } from "vitest"
import { createAccount } from "../../src/people/createAccount.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, groupIdOf, say, set } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const upstream = await startPeer()
const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_ALLOW_HOSTS: "127.0.0.1",
})

const asks = block("Webhook", { webhook: { url: `${upstream.url}/price` } }, { id: "price" })
const { botId, publicId } = await publishBot(
  server,
  bot(
    { sessionVariables: ["Secret"], variables: { Secret: "s3cret" } },
    group("A", say("Hi"), ask.text({ saves: "Name" }), asks, say("{{Name}}{{Secret}}")),
    group("B", say("Two", { id: "two" }), ask.text({ id: "last" })),
  ),
)

/** Somebody with whom the bot is shared. */
async function sharer(email: string, type: string) {
  const { token } = await createAccount(database, { email })
  await database.pool.query(
    `insert into bot_collaborators (bot_id, user_id, type)
    select $1, id, $3 from users where email = $2`,
    [botId, email, type],
  )
  return token
}

type Traced = {
  turn: number
  blocks: { blockId: string; groupId: string; ms: number; edgeId?: string; calls?: object[] }[]
  variables: { name: string; value?: unknown }[]
  answers: object[]
}

const start = async (token: string | null, body: object = {}) => {
  const path = `/api/v1/bots/${botId}/preview/startChat`
  const reply = await server.send("POST", path, { token, body: { trace: true, ...body } })
  return { ...reply, sessionId: String(reply.body.sessionId), trace: reply.body.trace as Traced }
}

const send = async (
  sessionId: string,
  {
    token = server.token,
    key,
    ...body
  }: { token?: string | null; key?: string; trace?: boolean } = {},
) => {
  const reply = await server.send("POST", `/api/v1/sessions/${sessionId}/continueChat`, {
    token,
    body: { message: "Ann", trace: true, ...body },
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  })
  return { ...reply, trace: reply.body.trace as Traced }
}

describe("12.6 the trace of a preview", () => {
  test("comes with each answer that is asked for it, and with no other", async () => {
    upstream.answers(json({ price: 3 }))
    const { sessionId, trace } = await start(server.token)
    expect(trace.blocks.map(({ blockId }) => blockId)).toEqual(["b1", "b2"])
    const next = await send(sessionId)
    expect(next.trace).toMatchObject({
      turn: 2,
      blocks: [
        { blockId: "b2", groupId: groupIdOf("A") },
        {
          blockId: "price",
          calls: [{ kind: "http", status: "done", httpStatus: 200, ms: expect.any(Number) }],
        },
        { blockId: "b3" },
      ],
      answers: [{ blockId: "b2", content: "Ann" }],
    })
    const values = next.trace.variables.map(({ name, value }) => [name, value])
    expect(values.toSorted()).toEqual([
      ["Name", "Ann"],
      ["Secret", "s3cret"],
    ])
    const untraced = await start(server.token, { trace: false })
    expect(untraced.body).not.toHaveProperty("trace")
    expect((await send(untraced.sessionId, { trace: false })).body).not.toHaveProperty("trace")
  })

  test("lists requests alone, and no code but that which sends some", async () => {
    upstream.answers(json({ price: 3 }))
    const webhook = { url: `${upstream.url}/price` }
    const responseVariableMapping = [{ id: "m", variableId: "vPrice", bodyPath: "data.price" }]
    const fetches = `return await fetch("${upstream.url}/price")`
    const mapped = block("Webhook", { webhook, responseVariableMapping }, { id: "mapped" })
    const { botId: own } = await publishBot(
      server,
      bot(
        { variables: { Price: null } },
        group(
          "A",
          mapped,
          set("Double", "{{Price}} * 2", { isCode: true }),
          set("Again", fetches, { isCode: true }),
          say("{{Price}} {{Double}}"),
          ask.text(),
        ),
      ),
    )
    const { body } = await server.send("POST", `/api/v1/bots/${own}/preview/startChat`, {
      body: { trace: true },
    })
    expect(body.messages).toMatchObject([
      { content: { richText: [{ children: [{ text: "3" }, { text: " " }, { text: "6" }] }] } },
    ])
    const { blocks } = body.trace as Traced
    expect(blocks.map(({ calls }) => calls)).toMatchObject([
      [{ kind: "http", httpStatus: 200 }],
      undefined,
      [{ kind: "script" }],
      undefined,
      undefined,
    ])
  })

  test("begins where the preview begins: at a block, too", async () => {
    const at = (startFrom: object) => start(server.token, { startFrom })
    const { trace } = await at({ type: "block", blockId: "last" })
    expect(trace.blocks.map(({ blockId }) => blockId)).toEqual(["last"])
    expect((await at({ type: "block", blockId: "none" })).body).toMatchObject({
      status: 400,
      reason: "PLACE_UNKNOWN",
    })
  })

  test("keeps session variables from those who may only read the bot", async () => {
    upstream.answers(json({}))
    const token = await sharer("rita@example.com", "READ")
    const { sessionId } = await start(token)
    const { trace } = await send(sessionId, { token })
    const secret = trace.variables.find(({ name }) => name === "Secret")
    expect(secret).toEqual({ id: "vSecret", name: "Secret", isSessionVariable: true })
    const writer = await sharer("will@example.com", "WRITE")
    const own = await start(writer)
    expect(JSON.stringify(own.trace.variables)).toContain("s3cret")
  })

  test("is for the user who began the preview, while they have a role on the bot", async () => {
    const token = await sharer("olga@example.com", "WRITE")
    const { sessionId } = await start(token)
    expect((await send(sessionId, { token: null })).status).toBe(401)
    expect((await send(sessionId)).status).toBe(403)
    const { step } = await chatOver(server, publicId)
    expect((await send(step.sessionId)).status).toBe(403)
    const unshare = `delete from bot_collaborators where bot_id = $1 and user_id in (
      select id from users where email = 'olga@example.com')`
    await database.pool.query(unshare, [botId])
    expect((await send(sessionId, { token })).status).toBe(404)
    expect((await send(sessionId, { token, trace: false })).status).toBe(200)
  })

  test("is refused to strangers, who preview without one", async () => {
    const flow = bot(group("A", ask.text()))
    expect((await start(null, { bot: flow })).status).toBe(401)
    expect((await start("parley_pat_nonsense", { bot: flow })).status).toBe(401)
    const { status, sessionId } = await start(null, { bot: flow, trace: false })
    expect(status).toBe(200)
    expect((await send(sessionId, { token: server.token })).status).toBe(403)
  })

  test("is not handed to others who repeat the request", async () => {
    upstream.answers(json({}))
    const other = await sharer("otto@example.com", "WRITE")
    const { sessionId } = await start(server.token)
    const first = await send(sessionId, { key: "once" })
    const again = await send(sessionId, { key: "once" })
    expect(again.body).toEqual(first.body)
    expect((await send(sessionId, { key: "once", token: other })).status).toBe(422)
    expect((await send(sessionId, { key: "once", token: null })).status).toBe(401)
  })
})

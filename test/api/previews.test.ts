/** Previews over REST. */
import { describe, expect, it } from "vitest"
import { newSessionId, newUuid } from "../../src/lib/ids.ts"
import { createAccount } from "../../src/people/createAccount.ts"
import { ask, bot, group, groupIdOf, link, say } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot, type Step } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const database = await testDatabase()
const server = await testServer({
  DATABASE_URL: database.url,
  PARLEY_TRUSTED_PROXIES: "1",
  PARLEY_RATES: "failedAuthentication=0.01/3",
})

const shareBot = (botId: string, email: string, type: string) =>
  database.pool.query(
    "insert into bot_collaborators (bot_id, user_id, type) select $1, id, $3 from users where email = $2",
    [botId, email, type],
  )

const flow = bot(
  group("A", say("one"), ask.text({ saves: "N" }), say("Hi {{N}}")),
  group("B", say("two"), ask.text()),
)

type Caller = {
  token?: string | null
  botId?: string
  from?: string
  headers?: Record<string, string>
}

const preview = async (body: object, { token = null, botId = "any", ...caller }: Caller = {}) => {
  const { from, headers } = caller
  const reply = await server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, {
    token,
    body: { textBubbleContentFormat: "markdown", ...body },
    headers: { ...(from ? { "x-forwarded-for": from } : {}), ...headers },
  })
  return { ...reply, body: reply.body as Step }
}

const reply = (sessionId: string, message: string) => {
  const path = `/api/v1/sessions/${sessionId}/continueChat`
  return server.send("POST", path, { token: null, body: { message } })
}

describe("2.3 a preview", () => {
  it("runs the flow in the request without a token, and records no result", async () => {
    const { status, body } = await preview({ bot: flow })
    expect(status).toBe(200)
    expect(body).toMatchObject({ messages: [{ content: { markdown: "one" } }] })
    expect(body).not.toHaveProperty("resultId")
    expect(body.bot).not.toHaveProperty("publishedAt")
    const path = `/api/v1/sessions/${body.sessionId}/continueChat`
    const next = await server.send("POST", path, { token: null, body: { message: "Ann" } })
    expect(JSON.stringify(next.body)).toContain("Ann")
  })

  it("begins at a group or an event, and refuses unknown ones", async () => {
    const at = (startFrom: object) => preview({ bot: flow, startFrom })
    const { body } = await at({ type: "group", groupId: groupIdOf("B") })
    expect(body.messages[0]?.content.markdown).toBe("two")
    expect((await at({ type: "group", groupId: "none" })).status).toBe(400)
    expect((await at({ type: "event", eventId: "none" })).status).toBe(400)
    expect((await at({ type: "event", eventId: "start" })).status).toBe(200)
  })

  it("says that a token is not valid, and counts it like those of other operations", async () => {
    const guess = () => preview({}, { token: "parley_pat_guess", from: "203.0.113.9" })
    const replies = [await guess(), await guess(), await guess(), await guess()]
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 429])
    expect(replies[0]?.body).toMatchObject({
      message: "The API token is not valid: it is misspelt, expired or revoked",
    })
  })

  it("runs a flow in the request for a caller with a token only if they may edit the bot", async () => {
    const { botId } = await publishBot(server, flow)
    const as = (token: string, id = botId) => preview({ bot: flow }, { botId: id, token })
    const newcomer = async (email: string, share?: string) => {
      const { token } = await createAccount(database, { email })
      if (share) await shareBot(botId, email, share)
      return token
    }
    const reader = await newcomer("rita@example.com", "READ")
    const refused = await as(reader)
    expect(refused.status).toBe(403)
    expect(JSON.stringify(refused.body)).toContain("Leave out the member `bot`")
    expect((await preview({}, { botId, token: reader })).status).toBe(200)
    expect((await as(await newcomer("will@example.com", "WRITE"))).status).toBe(200)
    const stranger = await newcomer("eve@example.com")
    expect((await as(stranger)).status).toBe(404)
    expect((await as(stranger, "none")).status).toBe(404)
    await server.send("PATCH", `/api/v1/bots/${botId}`, {
      body: { bot: { settings: { publicShare: { isEnabled: true } } } },
    })
    expect((await as(stranger)).status).toBe(404)
  })

  it("refuses a flow that is none, and names the place", async () => {
    const refused = await preview({ bot: { groups: [{ id: 5 }] } })
    expect(refused.status).toBe(400)
    expect(JSON.stringify(refused.body)).toContain('"pointer":"/bot/groups/0/id"')
  })

  it("is named by its caller, and starts anew under that name", async () => {
    const { botId } = await publishBot(server, flow)
    for (const mine of [{ botId, token: server.token }, { botId }]) {
      const first = await preview({ bot: flow, sessionId: "my-preview" }, mine)
      expect(first.body.sessionId).toMatch(/^p[0-9a-f]{40}$/)
      await reply(first.body.sessionId, "Ann")
      const again = await preview({ bot: flow, sessionId: "my-preview" }, mine)
      expect(again.body.sessionId).toBe(first.body.sessionId)
      expect(JSON.stringify((await reply(again.body.sessionId, "Bob")).body)).toContain("Bob")
    }
    expect((await preview({ bot: flow, sessionId: "no/slash" })).status).toBe(400)
  })

  it("has the id that its caller gives, of at least 20 characters", async () => {
    const { botId } = await publishBot(server, flow)
    const callers = [{ botId, token: server.token }, { botId }]
    for (const [index, mine] of callers.entries()) {
      const sessionId = `my-own-id_of-preview${index}`
      const start = (body: object = {}) => preview({ bot: flow, sessionId, ...body }, mine)
      expect((await start()).body.sessionId).toBe(sessionId)
      await reply(sessionId, "Ann")
      expect((await start()).body.sessionId).toBe(sessionId)
      expect(JSON.stringify((await reply(sessionId, "Bob")).body)).toContain("Bob")
      expect((await start({ isOnlyRegistering: true })).body.sessionId).toBe(sessionId)
      expect((await reply(sessionId, "Eve")).status).toBe(200)
    }
    const short = await preview({ bot: flow, sessionId: "19-characters-long_" })
    expect(short.body.sessionId).toMatch(/^p[0-9a-f]{40}$/)
    const live = newSessionId(newUuid())
    expect((await preview({ bot: flow, sessionId: live })).status).toBe(400)
  })

  it("is replaced only by the caller who began it", async () => {
    const { botId } = await publishBot(server, flow)
    const { token } = await createAccount(database, { email: "olga@example.com" })
    await shareBot(botId, "olga@example.com", "WRITE")
    const callers = [
      { botId, token: server.token },
      { botId, token },
      { from: "203.0.113.1" },
      { from: "203.0.113.2" },
    ]
    for (const [index, owner] of callers.entries()) {
      const body = { bot: flow, sessionId: `contested-preview-${index}-id` }
      expect((await preview(body, owner)).status).toBe(200)
      for (const other of callers.filter((each) => each !== owner)) {
        expect((await preview(body, other)).status).toBe(409)
        const keyed = { ...other, headers: { "idempotency-key": `${index}` } }
        expect((await preview(body, keyed)).status).toBe(409)
      }
      expect(JSON.stringify((await reply(body.sessionId, "Ann")).body)).toContain("Ann")
      expect((await preview(body, owner)).status).toBe(200)
    }
  })

  it("begun twice at once, belongs to one of its callers", async () => {
    for (let round = 0; round < 5; round++) {
      const body = { bot: flow, sessionId: `simultaneous-preview-${round}` }
      const both = ["203.0.113.3", "203.0.113.4"].map((from) => preview(body, { from }))
      const statuses = (await Promise.all(both)).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([200, 409])
    }
  })

  it("meets no other caller's preview of the same name", async () => {
    const { botId } = await publishBot(server, flow)
    const named = (words: string) => ({
      bot: bot(group("A", ask.text({ saves: "N" }), say(`${words} {{N}}`), ask.text())),
      sessionId: "the-same",
    })
    const { token } = await createAccount(database, { email: "wanda@example.com" })
    await shareBot(botId, "wanda@example.com", "WRITE")
    const callers = [
      { botId, token: server.token },
      { botId, token },
      { from: "203.0.113.1" },
      { from: "203.0.113.2" },
    ]
    const ids: string[] = []
    for (const [index, caller] of callers.entries()) {
      const { status, body } = await preview(named(`Number ${index}`), caller)
      expect(status).toBe(200)
      ids.push(body.sessionId)
    }
    expect(new Set(ids).size).toBe(callers.length)
    expect((await reply("the-same", "Ann")).status).toBe(404)
    for (const [index, id] of ids.entries()) {
      expect(JSON.stringify((await reply(id, "Ann")).body)).toContain(`Number ${index} `)
    }
  })

  it("never opens another bot for a caller without a token", async () => {
    const child = await publishBot(server, bot(group("C", say("secret"), ask.text())))
    const parent = bot(group("P", link(child.botId), say("after"), ask.text()))
    const { body } = await preview(
      { bot: { ...parent, workspaceId: "guessed" } },
      { botId: child.botId },
    )
    expect(body.messages.map((message) => message.content.markdown)).toEqual(["after"])
    expect(JSON.stringify(body.logs)).toContain("error")
  })
})

/** Going back in a preview, to the question before the last answer. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createAccount } from "../../src/people/createAccount.ts"
import { json, startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, say, when } from "../support/bots.ts"
import { testDatabase } from "../support/database.ts"
import { publishBot, type Step, textsOf } from "../support/publish.ts"
import { letArrive, testServer } from "../support/server.ts"
import { eventually, openLatch } from "../support/waiting.ts"

const database = await testDatabase()
const upstream = await startPeer()
const variables = { DATABASE_URL: database.url, PARLEY_ALLOW_HOSTS: "127.0.0.1" }
const here = await testServer(variables)
const there = await testServer(variables)

const tells = block("Webhook", {
  webhook: { url: `${upstream.url}/told`, method: "POST", body: "{{B}}" },
  isCustomBody: true,
})
const { botId } = await publishBot(
  here,
  bot(
    group("A", ask.text({ id: "a", saves: "A" }), ask.email({ id: "b", saves: "B", to: "B" })),
    group("B", tells, say("{{A}} {{B}}"), ask.text({ id: "c", saves: "A" })),
  ),
)

const start = async (of = botId, body: object = {}) => {
  const path = `/api/v1/bots/${of}/preview/startChat`
  const { body: step } = await here.send("POST", path, { body })
  return step as Step
}
const send = async (sessionId: string, message: string, server = here) => {
  const path = `/api/v1/sessions/${sessionId}/continueChat`
  const body = { message, trace: true, textBubbleContentFormat: "markdown" }
  const reply = await server.send("POST", path, { body })
  return reply.body as Step & { trace: { turn: number; variables: object[]; answers: object[] } }
}
const back = (sessionId: string, { token = here.token, of = botId, server = here } = {}) =>
  server.send("POST", `/api/v1/bots/${of}/preview/${sessionId}/back`, { token, body: {} })

describe("12.7 going back", () => {
  test("asks the question again, with the variables as they were before the answer", async () => {
    upstream.answers(json({}))
    const { sessionId } = await start()
    const first = await send(sessionId, "Ann")
    await send(sessionId, "ann@example.com")
    const { body } = await back(sessionId)
    expect(body).toMatchObject({
      input: { id: "b", type: "email input" },
      variables: [{ id: "vA", value: "Ann" }],
      turn: first.trace.turn,
    })
    const other = await send(sessionId, "bob@example.com")
    expect(textsOf(other)).toEqual(["Ann bob@example.com"])
    await back(sessionId)
    expect((await back(sessionId)).body).toMatchObject({ input: { id: "a" }, variables: [] })
    expect((await back(sessionId)).body).toMatchObject({ status: 409, reason: "NOTHING_TO_UNDO" })
  })

  test("passes over replies that were rejected, and undoes the answer that ended the chat", async () => {
    upstream.answers(json({}))
    const { sessionId } = await start()
    await send(sessionId, "Ann")
    await send(sessionId, "no address")
    expect((await back(sessionId)).body).toMatchObject({ input: { id: "a" } })
    for (const message of ["Ann", "ann@example.com", "end"]) await send(sessionId, message)
    expect((await back(sessionId)).body).toMatchObject({ input: { id: "c" } })
  })

  test("undoes nothing that blocks did outside, and later calls are calls of their own", async () => {
    upstream.answers(json({}))
    const { sessionId } = await start()
    await send(sessionId, "Ann")
    for (let time = 1; time <= 2; time++) {
      await send(sessionId, "ann@example.com")
      await back(sessionId)
    }
    const keys = upstream.received.map(({ headers }) => headers["idempotency-key"])
    expect(upstream.received.map(({ text }) => text)).toEqual([
      "ann@example.com",
      "ann@example.com",
    ])
    expect(new Set(keys).size).toBe(2)
  })

  test("waits for a turn that is under way, in another process too", async () => {
    for (const server of [here, there]) {
      const late = openLatch()
      upstream.answers((response) => void late.isOpen.then(() => response.end("{}")))
      const { sessionId } = await start()
      await send(sessionId, "Ann")
      const turn = send(sessionId, "ann@example.com")
      await eventually(() => expect(upstream.received).toHaveLength(1))
      const returning = back(sessionId, { server })
      await letArrive(here, there)
      late.open()
      expect(textsOf(await turn)).toEqual(["Ann ann@example.com"])
      expect((await returning).body).toMatchObject({ input: { id: "b" } })
    }
  })

  test("of several at once goes back as often", async () => {
    upstream.answers(json({}))
    const { sessionId } = await start()
    for (const message of ["Ann", "ann@example.com"]) await send(sessionId, message)
    const replies = await Promise.all(
      [here, there, here].map((server) => back(sessionId, { server })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 409])
    const inputs = replies.map(({ body }) => (body as Partial<Step>).input?.id)
    expect(inputs.toSorted()).toEqual(["a", "b", undefined])
  })

  test("is for the user who began the preview, within the bot of the path", async () => {
    const { token } = await createAccount(database, { email: "olga@example.com" })
    await database.pool.query(
      `insert into bot_collaborators (bot_id, user_id, type)
      select $1, id, 'WRITE' from users where email = 'olga@example.com'`,
      [botId],
    )
    const { sessionId } = await start()
    await send(sessionId, "Ann")
    const other = await publishBot(here, bot(group("A", ask.text())))
    expect((await back(sessionId, { token })).status).toBe(404)
    expect((await back(sessionId, { of: other.botId })).status).toBe(404)
    expect((await back("none")).status).toBe(404)
    expect((await back(sessionId)).status).toBe(200)
  })

  test("is over when a person is forgotten whose words a state that was left holds", async () => {
    upstream.answers(json({}))
    const { sessionId } = await start()
    for (const message of ["Zoe", "ann@example.com", "end"]) await send(sessionId, message)
    const { body } = await here.send("GET", "/api/v1/workspaces")
    const [workspace] = body.workspaces as { id: string }[]
    const erasure = { value: "Zoe", dryRun: false }
    await here.send("POST", `/api/v1/workspaces/${workspace?.id}/erase`, { body: erasure })
    expect((await back(sessionId)).status).toBe(404)
  })

  test("leads into no earlier preview of the same id", async () => {
    const sessionId = "a-preview-that-is-begun-again"
    await start(botId, { sessionId })
    await send(sessionId, "Ann")
    await start(botId, { sessionId })
    expect((await back(sessionId)).status).toBe(409)
  })

  test("comes to where the remaining answers alone would have led", async () => {
    const said = [["Said", "Equal to", "left"]] satisfies [string, string, string][]
    const loop = await publishBot(
      here,
      bot(
        group("A", ask.text({ saves: "Said" }), when(said, { to: "L", otherwise: "R" })),
        group("R", say("R {{Said}}", { to: "A" })),
        group("L", ask.choice(["one", "two"], { saves: "Pick" }), say("{{Pick}}", { to: "A" })),
      ),
    )
    const step = fc.constantFrom("left", "right", "one", "two", "back", "back")
    const steps = fc.array(step, { minLength: 4, maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(steps, async (sent) => {
        const [tried, straight] = [await start(loop.botId), await start(loop.botId)]
        let left: string[] = []
        const variablesIn = async (sessionId: string, message: string) =>
          JSON.stringify((await send(sessionId, message)).trace.variables)
        for (const each of sent) {
          if (each !== "back") {
            const { answers } = (await send(tried.sessionId, each)).trace
            // A choice rejects what it does not offer.
            if (answers.length > 0) left.push(each)
          } else if ((await back(tried.sessionId, { of: loop.botId })).status === 200) {
            left = left.slice(0, -1)
          }
        }
        for (const each of left) await send(straight.sessionId, each)
        const last = [tried, straight].map(({ sessionId }) => variablesIn(sessionId, "one"))
        const [one, other] = await Promise.all(last)
        expect(one).toBe(other)
      }),
      { numRuns: 6 },
    )
  })
})

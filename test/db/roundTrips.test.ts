/** How often a turn asks the database, counted on the wire between the service and PostgreSQL. */
import pg from "pg"
import { afterAll, describe, expect, test } from "vitest"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { threeQuestionFlow } from "../support/threeQuestions.ts"
import { eventually } from "../support/waiting.ts"
import { openWireTap } from "./wireTap.ts"

const databaseUrl = await testDatabaseUrl()
const tap = await openWireTap(databaseUrl)
afterAll(() => tap.close())
const author = await testServer({ DATABASE_URL: databaseUrl })
// Serves chats alone: no job and no token is noted while turns are counted. Beside them it looks for
// webhook endpoints now and then.
const server = await testServer({
  DATABASE_URL: tap.url,
  PARLEY_CONTROL_DATABASE_URL: databaseUrl,
  PARLEY_ROLE: "chat",
})
const { publicId } = await publishBot(author, threeQuestionFlow)
// Reads the version, which stays in memory from then on, and prepares the statements.
const warm = await chatOver(server, publicId)
await warm.say("Ann")
// The first statement has a pipeline opened, which asks for this.
await eventually(() => expect(tap.ran.map(({ text }) => text)).toContain("show lock_timeout"))

const direct = new pg.Client({ connectionString: databaseUrl })
await direct.connect()
afterAll(() => direct.end())

/** Events of a result that wait in the outbox, or were handed out to the only endpoint. */
async function countEvents(resultId: string): Promise<number> {
  const { rows } = await direct.query(
    `select ((select count(*) from outbox where result_id = $1)
      + (select count(*) from deliveries where result_id = $1))::int as count`,
    [resultId],
  )
  return rows[0].count
}

/** Names of the statements of one call, after checking that each was one round trip of its own. */
async function statementsOf(call: () => Promise<unknown>): Promise<string[]> {
  tap.clear()
  await call()
  expect(tap.roundTrips).toBe(tap.ran.length)
  expect(tap.openTransactions).toBe(0)
  return tap.ran.map(({ name, text }) => name || text)
}

describe("a turn that stays inside the engine asks the database exactly twice", () => {
  test("when a chat starts", async () => {
    const statements = await statementsOf(() => chatOver(server, publicId))
    expect(statements).toEqual(["find_runnable", "save_turn"])
  })

  test("when it goes on, and when it ends", async () => {
    const chat = await chatOver(server, publicId)
    for (const message of ["Ann", "ann@example.com", "Prices"]) {
      expect(await statementsOf(() => chat.say(message))).toEqual(["find_session", "save_turn"])
    }
  })

  test("when it carries an Idempotency-Key, and only once when it is repeated", async () => {
    const chat = await chatOver(server, publicId)
    const say = () => chat.say("Ann", { "idempotency-key": "k" })
    expect(await statementsOf(say)).toEqual(["find_keyed_session", "save_turn"])
    expect(await statementsOf(say)).toEqual(["find_keyed_session"])
  })

  test("when it sets variables and branches", async () => {
    const flow = bot(
      group(
        "A",
        ask.text({ saves: "Name" }),
        block("Set variable", { variableId: "vCopy", expressionToEvaluate: "{{Name}}" }),
        say("Hi {{Copy}}"),
        ask.choice(["Yes", "No"], { to: "A" }),
      ),
    )
    const published = await publishBot(author, flow)
    const chat = await chatOver(server, published.publicId)
    expect(await statementsOf(() => chat.say("Ann"))).toEqual(["find_session", "save_turn"])
    expect(await statementsOf(() => chat.say("Yes"))).toEqual(["find_session", "save_turn"])
  })
})

test("a turn whose texts name variables of the workspace has them in memory", async () => {
  const path = `/api/v1/workspaces/${author.workspaceId}/variables`
  await author.send("POST", path, { body: { name: "shop", value: "Tea" } })
  const naming = bot(group("A", say("{{$shop}}"), ask.text(), say("{{$shop}}")))
  const { publicId: namingId } = await publishBot(author, naming)
  expect(textsOf((await chatOver(server, namingId)).step)).toEqual(["Tea"])
  const start = () => chatOver(server, namingId)
  expect(await statementsOf(start)).toEqual(["find_runnable", "save_turn"])
  const chat = await start()
  expect(await statementsOf(() => chat.say("Ann"))).toEqual(["find_session", "save_turn"])
})

test("a turn with listeners takes as many round trips, and writes more in the same statement", async () => {
  const { publicId: toldId, botId } = await publishBot(author, threeQuestionFlow)
  const { body } = await author.send("GET", "/api/v1/workspaces")
  const [workspace] = body.workspaces as { id: string }[]
  const path = `/api/v1/workspaces/${workspace?.id}/webhookEndpoints`
  const types = ["conversation.started", "answer.submitted", "conversation.ended"]
  const endpoint = { url: "http://127.0.0.1:9", types, botIds: [botId] }
  const { body: made } = await author.send("POST", path, { body: endpoint })
  // The process that serves chats is told of it.
  await eventually(async () => {
    const { step } = await chatOver(server, toldId)
    expect(await countEvents(step.resultId)).toBe(1)
  })
  const chat = await chatOver(server, toldId)
  for (const message of ["Ann", "ann@example.com", "Prices"]) {
    expect(await statementsOf(() => chat.say(message))).toEqual(["find_session", "save_turn"])
  }
  expect(await countEvents(chat.step.resultId)).toBe(5)
  const { id } = made.endpoint as { id: string }
  expect((await author.send("DELETE", `${path}/${id}`)).status).toBe(200)
})

test("a turn owns its session before it takes a call from outside", async () => {
  const hooked = await publishBot(author, bot(group("A", block("webhook", {}), ask.text())))
  const chat = await chatOver(server, hooked.publicId)
  await chat.say()
  const statements = await statementsOf(() => chat.say())
  expect(statements).toEqual([
    "find_session",
    "claim_chat_sessions",
    "take_webhook_call",
    "save_turn",
  ])
})

test("2.6 a reply that is refused is stored as every turn is, for the transcript", async () => {
  const chat = await chatOver(server, publicId)
  await chat.say("Ann")
  const statements = await statementsOf(() => chat.say("no address"))
  expect(statements).toEqual(["find_session", "save_turn"])
})

test("the first chat on a version reads it as well, and no later one does", async () => {
  const published = await publishBot(author, threeQuestionFlow)
  const start = () => chatOver(server, published.publicId)
  expect(await statementsOf(start)).toEqual(["find_runnable", "find_version", "save_turn"])
  expect(await statementsOf(start)).toEqual(["find_runnable", "save_turn"])
})

test("a start that comes back to a remembered result still reads once and writes once", async () => {
  const flow = {
    ...threeQuestionFlow,
    settings: { general: { rememberUser: { isEnabled: true } } },
  }
  const published = await publishBot(author, flow)
  const first = await chatOver(server, published.publicId)
  await first.say("Ann")
  const { resultId } = first.step
  const again = () => chatOver(server, published.publicId, { resultId })
  expect(await statementsOf(again)).toEqual(["find_runnable_with_result", "save_turn"])
})

test("a preview of a flow stores the flow, and then reads and writes once per turn", async () => {
  const flow = bot(group("A", ask.text({ saves: "Name" }), say("Hi {{Name}}"), ask.text()))
  let sessionId = ""
  const start = async () => {
    const sent = { token: null, body: { bot: flow } }
    const { body } = await server.send("POST", "/api/v1/bots/any/preview/startChat", sent)
    sessionId = String(body.sessionId)
  }
  expect(await statementsOf(start)).toEqual(["save_preview_flow", "open_preview_session"])
  const path = `/api/v1/sessions/${sessionId}/continueChat`
  const reply = () => server.send("POST", path, { token: null, body: { message: "Ann" } })
  expect(await statementsOf(reply)).toEqual(["find_preview_session", "save_preview_session"])
})

test("leave to upload a file is counted in its chat and by its address, and the chat locked, a statement each", async () => {
  const asking = bot(group("A", ask.text({ id: "asks", attachments: { isEnabled: true } })))
  const { publicId } = await publishBot(author, asking)
  const { step } = await chatOver(server, publicId)
  const body = { sessionId: step.sessionId, blockId: "asks", fileName: "a.png" }
  const prepare = () => server.send("POST", "/api/v1/generate-upload-url", { token: null, body })
  expect(await statementsOf(prepare)).toEqual([
    "find_session",
    "count_upload",
    "count_upload",
    expect.stringMatching(/^select "id" from "chat_sessions" .* for no key update$/),
  ])
})

/** Replies that name the question they answer, sent to chats that have come to another one. */
import { expect, test } from "vitest"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()

const flow = bot(
  group(
    "A",
    ask.text({ id: "name", saves: "Name" }),
    say("Hi {{Name}}"),
    ask.text({ id: "town", saves: "Town" }),
    say("Bye"),
  ),
)

async function begin() {
  const { botId, publicId } = await publishBot(server, flow)
  const started = await server.send("POST", `/api/v1/bots/${publicId}/startChat`, { body: {} })
  const path = `/api/v1/sessions/${started.body.sessionId}/continueChat`
  const send = (message: unknown) => server.send("POST", path, { body: { message } })
  const answers = async () => {
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
    const [result] = body.results as { answers: { content: string }[] }[]
    return result?.answers.map(({ content }) => content)
  }
  return { send, answers }
}

const named = (text: string, inputId: string) => ({ type: "text", text, metadata: { inputId } })

test.each([
  ["text", named("Rome", "name")],
  ["voice", { type: "audio", url: "https://a.test/b.webm", metadata: { inputId: "name" } }],
])("a %s reply for another question is not taken, and the question is asked again", async (_, late) => {
  const { send, answers } = await begin()
  expect((await send(named("Ann", "name"))).body).not.toHaveProperty("isReplyTaken")
  const { status, body } = await send(late)
  expect(status).toBe(200)
  expect(body).toMatchObject({ isReplyTaken: false, messages: [], input: { id: "town" } })
  expect(await answers()).toEqual(["Ann"])
  expect((await send(named("Rome", "town"))).body).not.toHaveProperty("isReplyTaken")
  expect(await answers()).toEqual(["Ann", "Rome"])
})

test("a reply without the name of a question is for the waiting input", async () => {
  const { send, answers } = await begin()
  await send("Ann")
  expect((await send({ type: "text", text: "Rome" })).body).not.toHaveProperty("isReplyTaken")
  expect(await answers()).toEqual(["Ann", "Rome"])
})

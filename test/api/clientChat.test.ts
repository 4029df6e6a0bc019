/** `parley.chat()`: a chat with a published bot as one object, typed by what `parley types` writes. */
import { expect, test } from "vitest"
import { createParleyClient, isParleyError } from "../../src/client.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const server = await testServer()
const { address: url, token } = server
const parley = createParleyClient({ url, token })
const { publicId } = await publishBot(
  server,
  bot(
    { variables: { Source: null } },
    group(
      "Who",
      say("Hi from {{Source}}. Your name?"),
      ask.text({ saves: "Name" }),
      ask.email({ to: "Plan" }),
    ),
    group(
      "Plan",
      ask.choice(
        [
          { id: "pro", content: "Free of charge" },
          { content: "Professional", value: "pro" },
        ],
        { saves: "Plan" },
      ),
      ask.choice(["News", "Tips", "Offers"], { isMultipleChoice: true, saves: "Topics" }),
      ask.cards({
        items: [{ id: "c", title: "Cat", paths: [{ id: "p", text: "Take" }] }],
        saves: "Pet",
      }),
    ),
  ),
)

/** As `parley types` writes it. */
type Survey = {
  variables: Record<"Source" | "Name" | "Plan" | "Topics" | "Pet", string | (string | null)[]>
  prefilled: { Source?: string }
  answers: {
    Name?: string
    "Who (1)"?: string
    Plan?: "Free of charge" | "pro"
    Topics?: string
    Pet?: "Cat"
  }
  choices: { Plan: "Free of charge" | "pro"; Topics: ("News" | "Tips" | "Offers")[]; Pet: "Cat" }
}

const markdown = { textBubbleContentFormat: "markdown" } as const

test("a chat is talked to, chooses what is offered, and knows its answers", async () => {
  const prefilledVariables = { Source: "the web" }
  const chat = parley.chat<Survey>(publicId, { ...markdown, prefilledVariables })
  expect(chat.state).toEqual({ turns: [], messages: [], input: undefined })
  await chat.start()
  expect(chat.state.messages[0]).toMatchObject({
    content: { markdown: "Hi from the web. Your name?" },
  })
  const before = chat.state
  expect(await chat.send("Ann")).toMatchObject({
    sent: "Ann",
    step: { input: { type: "email input" } },
  })
  expect(chat.state).not.toBe(before)
  expect(await chat.answers()).toEqual({ Name: "Ann" })
  await expect(chat.choose("Plan", "pro")).rejects.toThrow('does not offer "pro" now, but nothing')
  await chat.send("ann@example.com")
  await expect(chat.choose("Pet", "Cat")).rejects.toThrow(
    'does not offer "Cat" now, but "Free of charge", "pro"',
  )
  await chat.choose("Plan", "pro")
  await chat.choose("Topics", ["News", "Offers"])
  await chat.choose("Pet", "Cat")
  expect(await chat.answers()).toEqual({
    Name: "Ann",
    "Who (1)": "ann@example.com",
    Plan: "pro",
    Topics: "News, Offers",
    Pet: "Cat",
  })
  expect(
    chat.state.turns.map(({ sent }) =>
      typeof sent === "object" && "text" in sent ? sent.text : sent,
    ),
  ).toEqual([undefined, "Ann", "ann@example.com", "pro", "News, Offers", "Cat"])
})

test("a chat begins with the first message, and anew when it is started again", async () => {
  const chat = createParleyClient({ url }).chat(publicId, markdown)
  await Promise.all([
    chat.send("Ann"),
    chat.send("ann@example.com"),
    chat.choose("Any", "Free of charge"),
  ])
  const { sessionId } = chat.state
  expect(chat.state.turns).toHaveLength(4)
  await chat.start({ ...markdown, message: "Bob" })
  expect(chat.state.turns).toHaveLength(1)
  expect(chat.state.sessionId).not.toBe(sessionId)
  const refused = await chat.answers().catch((error: unknown) => error)
  expect(isParleyError(refused) && refused.data?.httpStatus).toBe(401)
})

test("listeners are called after every change, with the new state in place, until they are removed", async () => {
  const chat = parley.chat(publicId, markdown)
  const seen: (string | undefined)[] = []
  const stop = chat.onChange(() => seen.push(chat.state.input?.type))
  await chat.start()
  await chat.send("Ann")
  expect(seen).toEqual(["text input", "email input"])
  await expect(chat.choose("Plan", "pro")).rejects.toThrow("does not offer")
  expect(seen).toHaveLength(2)
  stop()
  await chat.start()
  expect(seen).toHaveLength(2)
})

/** Sends requests, of which it loses the answers to these, counted from 0. */
function losing(lost: number[]) {
  const keys: (string | null)[] = []
  const send: typeof fetch = async (input, init) => {
    const place = keys.push(new Headers(init?.headers).get("idempotency-key")) - 1
    const response = await fetch(input, init)
    if (!lost.includes(place)) return response
    await response.arrayBuffer()
    throw new TypeError("The answer was lost")
  }
  return { keys, send }
}

test("calls whose answer is lost are sent again under their key, and done once", async () => {
  const { keys, send } = losing([0, 2])
  const chat = createParleyClient({ url, token, fetch: send }).chat<Survey>(publicId)
  await chat.send("Ann")
  expect(keys).toHaveLength(4)
  expect([keys[0], keys[2]]).toEqual([keys[1], keys[3]])
  expect(keys[0]).not.toBe(keys[2])
  expect(chat.state.input?.type).toBe("email input")
  expect(await chat.answers()).toEqual({ Name: "Ann" })
})

test("the procedures of chats are where they were", async () => {
  const { sessionId } = await parley.chat.start.mutate({ publicId })
  const step = await parley.chat.continue.mutate({ sessionId, message: "Ann" })
  expect(step.input?.type).toBe("email input")
})

test("a chat that listens has replies of the team as turns, and sends to the team while it is paused", async () => {
  const chat = parley.chat(publicId, markdown)
  const { input } = (await chat.start()).step
  const path = `/api/v1/sessions/${chat.state.sessionId}`
  await server.send("POST", `${path}/replies`, { body: { text: "Hi", author: "Eve", pause: true } })
  const types = { count: 0 }
  const leave = await chat.listen({ onTyping: () => (types.count += 1) })
  await eventually(() => expect(chat.state.isPaused).toBe(true))
  await eventually(() => expect(chat.state.turns.at(-1)?.reply).toMatchObject({ author: "Eve" }))
  expect(await chat.send("Hello")).toMatchObject({ sent: "Hello", step: { state: "paused" } })
  await server.send("POST", `${path}/replies/typing`, { body: {} })
  await eventually(() => expect(types.count).toBe(1))
  await server.send("PATCH", path, { body: { state: "active" } })
  await eventually(() => expect(chat.state.isPaused).toBe(false))
  expect(chat.state.input).toEqual(input)
  expect(await chat.send("Ann")).toMatchObject({ step: { input: { type: "email input" } } })
  leave()
  const said = chat.state.turns.map(({ sent, reply }) => sent ?? reply?.text)
  expect(said).toEqual([undefined, "Hi", "Hello", "Ann"])
})

/** Published bots that assistants call as tools: what they see, say, and get. */
import { describe, expect, test } from "vitest"
import { resultIdOfSession } from "../../src/lib/ids.ts"
import { assistantOfBot } from "../support/assistants.ts"
import { ask, block, bot, group, idOf, say, set, show, when } from "../support/bots.ts"
import { chatOver, publishBot } from "../support/publish.ts"
import { expectRefusal } from "../support/refusals.ts"
import { testServer } from "../support/server.ts"

const server = await testServer({ PARLEY_RATE_LIMITS: "off" })

type Parts = Parameters<typeof bot>

/** A bot that is a tool; `general`: further switches. */
const toolBot = (general: object, ...[first, ...rest]: Parts) => {
  const parts = "blocks" in first ? {} : first
  const groups = "blocks" in first ? [first, ...rest] : rest
  const settings = { general: { isTool: true, toolDescription: "Books a table", ...general } }
  return bot({ settings, ...parts }, ...groups)
}

const publish = (flow: object, name = "Tables & Co.") => publishBot(server, { name, ...flow })

const booking = toolBot(
  { toolVariableIds: [idOf("Code"), idOf("Note")] },
  { sessionVariables: ["Note"] },
  group(
    "Table",
    set("Note", "internal"),
    set("Purchase", "not for callers"),
    when([["City", "Equal to", "Rome"]], { to: "Size", otherwise: "Nowhere" }),
  ),
  group(
    "Size",
    say("How **many** in {{City}}?"),
    ask.choice(["Two", "Four"], { saves: "Guests", to: "Done" }),
  ),
  group("Done", set("Code", '"R-" + {{Guests}}'), say("Booked for {{Guests}}")),
  group("Nowhere", say("No tables there")),
)

const call = (params: object) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
const post = (publicId: string, body: unknown = list, headers = {}) =>
  server.send("POST", `/mcp/bots/${publicId}`, { token: null, body, headers })

describe("what a tool is", async () => {
  const { publicId } = await publish(booking)
  const { client } = await assistantOfBot(server.address, publicId)
  const { tools } = await client.listTools()

  test("the bot is the only one, named after it and described by its author", () => {
    expect(tools).toMatchObject([
      {
        name: "tables_co",
        title: "Tables & Co.",
        description: expect.stringMatching(/^Books a table\n/),
      },
    ])
    expect(client.getServerVersion()).toMatchObject({ name: "tables_co" })
  })

  test("its variables are what it takes: those are required that the flow reads and never sets", () => {
    const { properties = {} } = tools[0]?.inputSchema ?? {}
    expect(Object.keys(properties)).toEqual(["variables", "sessionId", "reply"])
    const variables = properties.variables as { properties: object; required: string[] }
    expect(Object.keys(variables.properties).sort()).toEqual(["City", "Code", "Guests", "Purchase"])
    expect(variables.required).toEqual(["City"])
  })

  test.each([
    ["Café Zürich – 24/7", "cafe_zurich_24_7"],
    ["予約", "bot"],
    ["x".repeat(90), "x".repeat(64)],
  ])("a bot called %s has a name that clients take", async (name, wanted) => {
    const named = await publish(toolBot({}, group("A", say("Hi"))), name)
    const connected = await assistantOfBot(server.address, named.publicId)
    expect((await connected.client.listTools()).tools.map((each) => each.name)).toEqual([wanted])
  })
})

describe("a call", async () => {
  const { botId, publicId } = await publish(booking)
  const assistant = await assistantOfBot(server.address, publicId)
  const use = (sent: object) => assistant.use("tables_co", { ...sent })

  test("starts a chat, which asks, and returns at its end what the author lets it return", async () => {
    const asked = await use({ variables: { City: "Rome" } })
    const { sessionId } = asked.whole
    expect(asked.text).toBe("How **many** in Rome?")
    expect(asked.whole).toEqual({
      state: "asks",
      sessionId: expect.any(String),
      said: "How **many** in Rome?",
      question: {
        type: "buttons",
        choices: [
          { reply: "Two", label: "Two" },
          { reply: "Four", label: "Four" },
        ],
      },
    })
    const again = await use({ sessionId, reply: "Six" })
    expect(again.whole).toMatchObject({ state: "asks", sessionId })
    const ended = await use({ sessionId, reply: "Four" })
    expect(ended.whole).toEqual({
      state: "ended",
      said: "Booked for Four",
      answers: { Guests: "Four" },
      variables: { Code: "R-Four" },
    })
    const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
    expect(body.results).toMatchObject([{ isCompleted: true, answers: [{ content: "Four" }] }])
  })

  test("returns nothing that the author did not choose, and no session variables", async () => {
    const ended = await use({ variables: { City: "Oslo" } })
    expect(ended.whole).toEqual({
      state: "ended",
      said: "No tables there",
      answers: {},
      variables: {},
    })
    expect(JSON.stringify(ended)).not.toMatch(/internal|not for callers/)
  })

  test.each([
    ["no required variable", {}, "variables"],
    ["a required variable without a value", { variables: { City: null } }, "variables"],
    ["a variable that it does not have", { variables: { City: "Rome", Town: "Rome" } }, "Town"],
    ["a session variable", { variables: { City: "Rome", Note: "mine" } }, "Note"],
    ["a reply without a session", { reply: "Two", variables: { City: "Rome" } }, "sessionId"],
    ["variables of a session", { sessionId: "x", variables: { City: "Rome" } }, "first call"],
    ["another type", { sessionId: 5 }, "sessionId"],
    ["too much", { variables: { City: "x".repeat(70_000) } }, "64 kB"],
    ["too long a reply", { sessionId: "x", reply: "x".repeat(100_001) }, "reply"],
  ])("with %s is refused, and says why", async (_, sent, words) => {
    const { isError, text, whole } = await use(sent)
    expect([isError, whole.reason]).toEqual([true, "BAD_REQUEST"])
    expect(text).toContain(words)
  })

  test("of another name is an error of the protocol", async () => {
    await expect(assistant.use("constructor", {})).rejects.toThrow("The only tool is tables_co")
  })
})

describe("a session", async () => {
  const flow = toolBot(
    {},
    group("A", say("Name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}")),
  )
  const mine = await publish(flow)
  const other = await publish(flow)
  const assistant = await assistantOfBot(server.address, mine.publicId)

  test.each([
    ["of another bot", async () => (await chatOver(server, other.publicId)).step.sessionId],
    [
      "of a preview",
      async () => {
        const path = `/api/v1/bots/${mine.botId}/preview/startChat`
        return String((await server.send("POST", path, { body: {} })).body.sessionId)
      },
    ],
    ["that is unknown", async () => "x".repeat(40)],
    ["that is no id", async () => "../x y"],
  ])("%s is not continued", async (_, sessionOf) => {
    const sent = { sessionId: await sessionOf(), reply: "Ann" }
    const answer = await assistant.use("tables_co", sent)
    expect([answer.isError, answer.whole.reason]).toEqual([true, "NOT_FOUND"])
  })

  test("goes on for the same bot, after the bot is published again", async () => {
    const { whole } = await assistant.use("tables_co")
    await server.send("POST", `/api/v1/bots/${mine.botId}/publish`)
    const sent = { sessionId: whole.sessionId, reply: "Ann" }
    expect((await assistant.use("tables_co", sent)).text).toBe("Hi Ann")
  })
})

describe("what pages would do", async () => {
  const use = async (flow: object, sent = {}) => {
    const { publicId } = await publish(flow)
    const { use } = await assistantOfBot(server.address, publicId)
    return { use, answer: await use("tables_co", sent) }
  }

  test("is left out, and the bot goes on: scripts and pauses", async () => {
    const flow = toolBot(
      {},
      group(
        "A",
        say("One"),
        block("Code", { content: "alert(1)", isExecutedOnClient: true, shouldWait: true }),
        block("Wait", { secondsToWaitFor: 1, shouldPause: true }),
        say("Two"),
      ),
    )
    const { answer } = await use(flow)
    expect(answer.whole).toMatchObject({ state: "ended", said: "One\n\nTwo" })
  })

  test("is a link: redirects, pictures and files, but never of a script", async () => {
    const redirect = (url: string) => block("Redirect", { url, isNewTab: true })
    const flow = toolBot(
      {},
      group(
        "A",
        show("image", { url: "https://a.example/x (1).png" }),
        show("file", { url: "javascript:alert(1)", name: "x" }),
        say("Go"),
        redirect("https://a.example/pay"),
        redirect("javascript:alert(1)"),
      ),
    )
    const { answer } = await use(flow)
    expect(answer.whole.said).toBe(
      "![image](https://a.example/x%20%281%29.png)\n\nGo\n\n[Open this page](https://a.example/pay)",
    )
  })

  test("a bot that waits for another system says so, and goes on once it has called", async () => {
    const flow = toolBot(
      {},
      group("A", say("Wait"), block("webhook", {}, { id: "hook" }), say("Paid")),
    )
    const { botId, publicId } = await publish(flow)
    const { use } = await assistantOfBot(server.address, publicId)
    const { whole } = await use("tables_co")
    const { sessionId } = whole
    expect(whole).toEqual({ state: "waits", sessionId: expect.any(String), said: "Wait" })
    expect((await use("tables_co", { sessionId })).whole).toMatchObject({
      state: "waits",
      said: "",
    })
    const resultId = resultIdOfSession(String(sessionId))
    const path = `/api/v1/bots/${botId}/blocks/hook/results/${resultId}/executeWebhook`
    const called = await server.send("POST", path, { body: {} })
    expect(called.status).toBe(200)
    expect((await use("tables_co", { sessionId })).whole).toMatchObject({
      state: "ended",
      said: "Paid",
    })
  })

  test("a bot that never stops waiting for pages ends the call after some turns", async () => {
    const flow = toolBot(
      {},
      group("A", say("x"), block("Wait", { secondsToWaitFor: 1, shouldPause: true }), {
        type: "Jump",
        options: { groupId: "gA" },
      }),
    )
    const { answer } = await use(flow)
    expect(answer.whole).toMatchObject({ state: "waits", sessionId: expect.any(String) })
    expect(answer.whole.said).toBe(Array(5).fill("x").join("\n\n"))
  })

  test("an answer that is too long is cut, and says so", async () => {
    const { answer } = await use(
      toolBot({ toolVariableIds: [idOf("V")] }, group("A", say("{{V}}"))),
      {
        variables: { V: "x".repeat(60_000) },
      },
    )
    expect(answer.whole).toMatchObject({ state: "ended", isCut: true })
    expect(answer.whole.said).toHaveLength(30_000)
    expect(JSON.stringify(answer.whole).length).toBeLessThan(50_000)
  })
})

describe("bots that are no tools", () => {
  const plain = bot(group("A", say("Hi")))
  const tool = toolBot({}, group("A", say("Hi")))
  const change = (botId: string, path: string, body?: object) =>
    server.send(body ? "PATCH" : "POST", `/api/v1/bots/${botId}${path}`, body ? { body } : {})

  test.each<[string, () => Promise<string>]>([
    ["unknown", async () => "none"],
    ["no text that a database holds", async () => "%00"],
    ["no text at all", async () => "%E0%A4%A"],
    ["too long", async () => "x".repeat(5_000)],
    ["not meant for assistants", async () => (await publish(plain)).publicId],
    [
      "closed",
      async () => {
        const { botId, publicId } = await publish(tool)
        await change(botId, "", { bot: { isClosed: true } })
        return publicId
      },
    ],
    [
      "unpublished",
      async () => {
        const { botId, publicId } = await publish(tool)
        await change(botId, "/unpublish")
        return publicId
      },
    ],
    [
      "archived",
      async () => {
        const { botId, publicId } = await publish(tool)
        await server.send("DELETE", `/api/v1/bots/${botId}`)
        return publicId
      },
    ],
    [
      "a tool in the draft alone",
      async () => {
        const { botId, publicId } = await publish(plain)
        await change(botId, "", { bot: { settings: { general: { isTool: true } } } })
        return publicId
      },
    ],
  ])("are unknown to assistants, whatever they send: %s", async (_, publicIdOf) => {
    const publicId = await publicIdOf()
    const answers = [
      await post(publicId),
      await post(publicId, call({ name: "tables_co" })),
      await post(publicId, "{"),
    ]
    for (const answer of answers) {
      expectRefusal(answer, 404, "NOT_FOUND")
      expect(answer.body.message).toBe("Tool not found")
    }
  })
})

test("pages that the author did not list are refused, as for chats", async () => {
  const settings = {
    general: { isTool: true, toolDescription: "x" },
    security: { allowedOrigins: ["https://shop.example"] },
  }
  const { publicId } = await publish(bot({ settings }, group("A", say("Hi"))))
  const from = (origin: string) => post(publicId, call({ name: "tables_co" }), { origin })
  expectRefusal(await from("https://evil.example"), 403, "ORIGIN_NOT_ALLOWED")
  const listed = await from("https://shop.example")
  expect(listed.body.result).toMatchObject({ structuredContent: { said: "Hi" } })
  expect(listed.headers.get("access-control-allow-origin")).toBe("*")
  expect((await post(publicId)).status).toBe(200)
})

test("the settings of a tool do not reach the pages of chats", async () => {
  const { publicId } = await publish(booking)
  const { step } = await chatOver(server, publicId)
  const { settings } = step.bot as { settings: { general: object } }
  expect(settings.general).toEqual({})
  expect(step).not.toHaveProperty("outcome")
})

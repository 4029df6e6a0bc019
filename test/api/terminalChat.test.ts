/** Tests of the chat in the terminal: with the demo bot, and with answers of every kind. */
import { createServer, type Server } from "node:http"
import { afterAll, expect, test } from "vitest"
import { demoPublicId } from "../../src/app/demo.ts"
import { rendered } from "../../src/cli/output.ts"
import { type ChatInput, readReply } from "../../src/cli/terminal/choices.ts"
import { emphasised, type Step } from "../../src/cli/terminal/show.ts"
import { type Terminal, talk } from "../../src/cli/terminal/talk.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { testServer } from "../support/server.ts"

const server = await testServer()
const fakes: Server[] = []

afterAll(() => {
  for (const fake of fakes) fake.close()
})

test("a person talks to the demo bot until the chat is over", async () => {
  const { terminal, shown } = scripted("1", "Ann", "not a mail", "ann@example.com")
  await talk(terminal, { url: `${server.address}/`, publicId: demoPublicId })
  const text = shown.join("\n")
  expect(text).toContain("  1. I want to build a bot\n  2. I am just looking")
  expect(text).toContain("Nice to meet you, Ann.")
  expect(text).toContain("Thank you, Ann! We will write to ann@example.com.")
  expect(shown.at(-1)).toBe("(The chat is over.)")
  // The wrong address was asked for again.
  expect(text.split("Nice to meet you")[1]?.match(/\n/g)?.length).toBeGreaterThan(2)
})

test("a member talks to the draft of a bot, and leaves no result", async () => {
  const flow = bot(group("Ask", say("Your name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}")))
  const { botId } = await publishBot(server, bot(group("Ask", say("This is live"))))
  await server.send("PATCH", `/api/v1/bots/${botId}`, { body: { bot: flow } })
  const { terminal, shown } = scripted("Ann")
  await talk(terminal, { url: server.address, botId, token: server.token })
  expect(shown.join("\n")).toContain("Hi Ann")
  const { body } = await server.send("GET", `/api/v1/bots/${botId}/results`)
  expect(body.results).toEqual([])
  const stranger = talk(terminal, { url: server.address, botId, token: "none" })
  await expect(stranger).rejects.toThrow(/The service refused/)
})

test.each([
  ["**Hi** there", "\u001b[1mHi\u001b[22m there"],
  ["an *odd* one, _too_", "an \u001b[3modd\u001b[23m one, \u001b[3mtoo\u001b[23m"],
  ["2 * 3 * 4, a_b_c and \\*\\*no\\*\\*", "2 * 3 * 4, a_b_c and **no**"],
])("a terminal shows the emphasis of %s", (markdown, shown) => {
  expect(emphasised(markdown)).toBe(shown)
})

test("a person may leave at any time", async () => {
  const { terminal, shown } = scripted()
  await talk(terminal, { url: server.address, publicId: demoPublicId })
  expect(shown.at(-1)).toContain("I am just looking")
})

test("refusals of the service are shown in its words", async () => {
  const { terminal } = scripted()
  const call = talk(terminal, { url: server.address, publicId: "no such bot" })
  await expect(call).rejects.toThrow(/^The service refused: No published bot has this public id/)
})

test("a service that does not answer is named", async () => {
  const { terminal } = scripted()
  const nowhere = talk(terminal, { url: "http://127.0.0.1:1", publicId: "b" })
  await expect(nowhere).rejects.toThrow("http://127.0.0.1:1 does not answer")
  const strange = await serve([{ status: 502, body: "<html>" }])
  const call = talk(terminal, { url: strange.url, publicId: "b" })
  await expect(call).rejects.toThrow("answered with status 502: does Parley run there?")
})

test("pictures, clips, redirects and pauses are shown in their place", async () => {
  const { url, bodies } = await serve([
    {
      body: {
        sessionId: "s",
        messages: [
          text("a", "First"),
          { id: "b", type: "image", content: { url: "https://example.com/p.png" } },
          {
            id: "f",
            type: "file",
            content: { url: "https://example.com/f.pdf", name: "Prices", caption: "All" },
          },
          text("c", "Last"),
        ],
        clientSideActions: [
          { type: "scriptToExecute", scriptToExecute: { content: "", args: [] } },
          { type: "wait", wait: { secondsToWaitFor: 2 }, lastBubbleBlockId: "a" },
          { type: "redirect", redirect: { url: "https://example.com" }, lastBubbleBlockId: "c" },
        ],
      },
    },
  ])
  const { terminal, shown } = scripted()
  await talk(terminal, { url, publicId: "a/b" })
  expect(shown).toEqual([
    "[scriptToExecute] left out: it needs a browser",
    "First",
    "(2000 ms)",
    "[image] https://example.com/p.png",
    "[file] Prices https://example.com/f.pdf",
    "All",
    "Last",
    "[redirect] https://example.com",
    "(The chat is over.)",
  ])
  expect(bodies).toEqual([
    ["/api/v1/bots/a%2Fb/startChat", { textBubbleContentFormat: "markdown" }],
  ])
})

test("a bot that waits for a browser is continued", async () => {
  const script = { content: "", args: [] }
  const { url, bodies } = await serve([
    {
      body: {
        sessionId: "s1",
        messages: [],
        clientSideActions: [
          {
            type: "setVariable",
            setVariable: { scriptToExecute: script },
            expectsDedicatedReply: true,
          },
        ],
      },
    },
    {
      body: {
        messages: [{ id: "e", type: "embed", content: { waitForEvent: { isEnabled: true } } }],
      },
    },
    { body: { messages: [text("t", "Done")] } },
  ])
  const { terminal, shown } = scripted()
  await talk(terminal, { url, publicId: "b" })
  expect(shown.slice(-2)).toEqual(["Done", "(The chat is over.)"])
  const format = { textBubbleContentFormat: "markdown" }
  expect(bodies.slice(1)).toEqual([
    ["/api/v1/sessions/s1/continueChat", format],
    ["/api/v1/sessions/s1/continueChat", format],
  ])
})

test("a bot that waits for another system is asked again after a pause", async () => {
  const waiting = {
    messages: [],
    clientSideActions: [{ type: "listenForWebhook", expectsDedicatedReply: true }],
  }
  const { url, bodies } = await serve([
    { body: { sessionId: "s1", ...waiting } },
    { body: waiting },
    { body: { messages: [text("t", "Done")] } },
  ])
  const { terminal, shown } = scripted()
  await talk(terminal, { url, publicId: "b" })
  expect(bodies).toHaveLength(3)
  expect(shown.filter((line) => line === "(3000 ms)")).toHaveLength(2)
})

test("a text cannot command the terminal", async () => {
  const { url } = await serve([
    { body: { sessionId: "s", messages: [text("t", "a\u001b[2Jb\u0007\u009bc\td")] } },
  ])
  const { terminal, shown } = scripted()
  await talk(terminal, { url, publicId: "b" })
  expect(shown[0]).toBe("a\\u001b[2Jb\\u0007\\u009bc\td")
})

test("numbers stand for choices", () => {
  const one = asked({
    type: "choice input",
    items: [
      { id: "i1", content: "Yes" },
      { id: "i2", content: "No" },
    ],
  })
  expect(readReply(one, " 2 ")).toEqual({ type: "text", text: "No", metadata: { replyId: "i2" } })
  for (const line of ["3", "0", "No", "1, 2", ""]) {
    expect(readReply(one, line)).toEqual({ type: "text", text: line })
  }
  const several = asked({ ...one, options: { isMultipleChoice: true } })
  expect(readReply(several, "2,1")).toEqual({ type: "text", text: "i2, i1" })
  expect(readReply(several, "1, Perhaps")).toEqual({ type: "text", text: "1, Perhaps" })
})

test("the buttons of cards are numbered through", () => {
  const cards = asked({
    type: "cards",
    items: [
      { id: "c1", title: "Small", paths: [{ id: "p1", text: "Buy" }] },
      {
        id: "c2",
        title: "Large",
        paths: [
          { id: "p2", text: "Buy" },
          { id: "p3", text: "More" },
        ],
      },
    ],
  })
  expect(readReply(cards, "3")).toEqual({ type: "text", text: "p3", metadata: { replyId: "p3" } })
})

test("an empty line takes the value that is offered", () => {
  const offered = asked({ type: "text input", prefilledValue: "Ann" })
  expect(readReply(offered, "")).toEqual({ type: "text", text: "Ann" })
  expect(readReply(offered, "Bob")).toEqual({ type: "text", text: "Bob" })
})

function asked(input: object): ChatInput {
  return { id: "block", ...input } as ChatInput
}

function text(id: string, markdown: string): Step["messages"][number] {
  return { id, type: "text", content: { type: "markdown", markdown } }
}

/** A terminal at which somebody types these lines and then leaves. */
function scripted(...lines: string[]): { terminal: Terminal; shown: string[] } {
  const shown: string[] = []
  const terminal: Terminal = {
    ask: async () => lines.shift(),
    show: (line) => shown.push(rendered(line)),
    pause: async (ms) => void shown.push(`(${ms} ms)`),
  }
  return { terminal, shown }
}

/** A service that gives these answers one after the other, and what it was sent. */
async function serve(answers: { status?: number; body: unknown }[]) {
  const bodies: [string | undefined, unknown][] = []
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    bodies.push([request.url, JSON.parse(Buffer.concat(chunks).toString())])
    const answer = answers.shift()
    response.writeHead(answer?.status ?? 200)
    response.end(typeof answer?.body === "string" ? answer.body : JSON.stringify(answer?.body))
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  fakes.push(http)
  const address = http.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, bodies }
}

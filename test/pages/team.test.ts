/** Tests that a person of the team and a visitor talk on the chat page while the bot is paused. */

import type { AddressInfo, Socket } from "node:net"
import { createServer, connect as dial } from "node:net"
import type { Page } from "playwright-core"
import { afterAll, describe, expect, test } from "vitest"
import { createParleyClient } from "../../src/client.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { eventually } from "../support/waiting.ts"
import { conversationOf, expectNoComplaints, openViewer, says, type } from "./browser.ts"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

type Line = { id: string; from: string; text: string }

describe.skipIf(!viewer)("a chat that a person has taken over", async () => {
  if (!viewer) return
  const server = await pageServer()
  const remembering = { general: { rememberUser: { isEnabled: true, storage: "local" } } }
  const flow = bot(
    { settings: { ...swift, ...remembering } },
    group("A", say("Your name?"), ask.text({ saves: "Name" }), say("Hi {{Name}}"), ask.text()),
  )

  async function open(address = server.address) {
    const { publicId } = await publishBot(server, flow)
    const page = await viewer?.open()
    if (!page) throw new Error("There is no browser")
    const started = page.waitForResponse("**/startChat")
    await page.goto(`${address}/chat/${publicId}`)
    const { sessionId } = (await (await started).json()) as { sessionId: string }
    await says(page, "Your name?")
    const path = `/api/v1/sessions/${sessionId}`
    return {
      page,
      reply: async (body: object, key?: string) => {
        const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key }
        const sent = await server.send("POST", `${path}/replies`, { body, headers })
        expect(sent.status, JSON.stringify(sent.body)).toBe(200)
      },
      steer: (body: object) => server.send("PATCH", path, { body }),
      lines: async () => {
        const all: Line[] = []
        for (let after: unknown; ; ) {
          const query = after === undefined ? "" : `&after=${after}`
          const { body } = await server.send("GET", `${path}/messages?limit=200${query}`)
          all.push(...(body.messages as Line[]))
          if (!body.hasMore) return all
          after = body.nextCursor
        }
      },
      sessionId,
      typing: () => server.send("POST", `${path}/replies/typing`, { body: {} }),
    }
  }

  test("shows replies with their authors, takes messages, and asks again once it is resumed", async () => {
    const { page, reply, steer, lines } = await open()
    await reply({ text: "I am Eve.", author: "Eve", pause: true })
    await says(page, "I am Eve.")
    expect(await page.locator(".author").allInnerTexts()).toEqual(["Eve"])
    await type(page, "Hello Eve")
    await says(page, "Hello Eve")
    await page.locator(".unsent").waitFor({ state: "detached" })
    await reply({ text: "Bye", attachedFileUrls: ["https://x.example/a.pdf"] })
    await page.getByRole("link", { name: "File (pdf)" }).waitFor()
    await steer({ state: "active" })
    await page.locator(".joined").waitFor({ state: "detached" })
    await type(page, "Ann")
    await says(page, "Hi Ann")
    expect(await conversationOf(page)).toEqual([
      ...["Your name?", "Eve\nI am Eve.", "Hello Eve", "Bye\nFile (pdf)", "Ann", "Hi Ann"],
    ])
    expect((await lines()).map(({ text }) => text)).toEqual([
      ...[
        "Your name?",
        "I am Eve.",
        "Hello Eve",
        "https://x.example/a.pdf\n\nBye",
        "Ann",
        "Hi Ann",
      ],
    ])
    expectNoComplaints(page)
  })

  test("shows each side that the other one types, until it has said something", async () => {
    const { page, reply, typing, steer } = await open()
    await steer({ state: "paused" })
    await page.locator(".joined").waitFor()
    await typing()
    await page.locator(".typing").waitFor()
    await reply({ text: "Hello" })
    await says(page, "Hello")
    await page.locator(".typing").waitFor({ state: "detached" })
    const signed = page.waitForResponse("**/typing")
    await page.locator("form.ask .field").fill("H")
    expect((await signed).status()).toBe(200)
    expectNoComplaints(page)
  })

  test("shows what was said while its page was closed, in order, and goes on", async () => {
    const { page, reply } = await open()
    const address = page.url()
    await page.goto("about:blank")
    await reply({ text: "One", pause: true })
    await reply({ text: "Two" })
    await page.goto(address)
    await says(page, "Two")
    await type(page, "Three")
    await says(page, "Three")
    await page.locator(".unsent").waitFor({ state: "detached" })
    await page.reload()
    await says(page, "Three")
    await reply({ text: "Four" })
    await says(page, "Four")
    expect(await conversationOf(page)).toEqual(["Your name?", "One", "Two", "Three", "Four"])
  })

  test("keeps an answer that comes after the pause for the team, and the question for later", async () => {
    const { page, steer, lines } = await open()
    await page.route("**/events", (route) => route.abort())
    await page.reload()
    await steer({ state: "paused" })
    await type(page, "Ann")
    await page.locator(".joined").waitFor()
    await page.unroute("**/events")
    await steer({ state: "active" })
    await page.reload()
    await page.locator(".joined").waitFor({ state: "detached" })
    await type(page, "Ann")
    await says(page, "Hi Ann")
    expect((await lines()).map(({ from, text }) => [from, text])).toEqual([
      ["bot", "Your name?"],
      ["person", "Ann"],
      ["person", "Ann"],
      ["bot", "Hi Ann"],
    ])
  })

  test("shows names and words of the team as text", async () => {
    const { page, reply } = await open()
    const mark = "<img src=x onerror=document.title='run'>"
    await reply({ text: `${mark} **bold** [a](javascript:1)`, author: mark, pause: true })
    await says(page, "**bold**")
    expect((await conversationOf(page)).at(-1)).toBe(`${mark}\n${mark} **bold** [a](javascript:1)`)
    expect(await page.locator(".bubble img, .bubble a").count()).toBe(0)
    expectNoComplaints(page)
  })

  const many = 200

  test(`${many} messages each way through lost connections come to the page and to the stream of an agent once and in one order`, async () => {
    const line = await openWire(Number(new URL(server.address).port))
    const { page, reply, lines, sessionId } = await open(line.address)
    const agent = createParleyClient({ url: line.address, token: server.token })
    const heard: { id: string; text: string }[] = []
    const stream = agent.conversation.listenToSession.subscribe(
      { sessionId },
      { onData: ({ data }) => void (data.type === "message" && heard.push(data.message)) },
    )
    await reply({ text: "team start", pause: true })
    await says(page, "team start")
    const team = (async () => {
      for (let at = 0; at < many; at++) await reply({ text: `team ${at}` }, `t${at}`)
    })()
    const person = (async () => {
      for (let at = 0; at < many; at++) await type(page, `person ${at}`)
    })()
    const cuts = setInterval(line.cut, 400)
    await Promise.all([team, person]).finally(() => clearInterval(cuts))
    await page.locator(".unsent").first().waitFor({ state: "detached" })
    const all = await lines()
    const said = all.map(({ text }) => text)
    await eventually(() => expect(heard).toHaveLength(all.length))
    expect(heard).toEqual(all)
    stream.unsubscribe()
    await eventually(async () => expect(await shownIn(page)).toHaveLength(said.length))
    expect(await shownIn(page)).toEqual(said)
    const of = (who: string) => said.filter((text) => text.startsWith(who))
    expect(of("team")).toEqual(["team start", ...numbered("team")])
    expect(of("person")).toEqual(numbered("person"))
    expect(line.cutCount()).toBeGreaterThan(0)
  })

  const numbered = (who: string) => Array.from({ length: many }, (_, at) => `${who} ${at}`)

  /** As `conversationOf`, which asks for the layout of every line. */
  const shownIn = (page: Page) =>
    page.locator(".line .said").evaluateAll((all) => all.map((each) => each.textContent))
})

/** A port that passes on what comes to another one, until its connections are cut. */
async function openWire(port: number) {
  const open = new Set<Socket>()
  let count = 0
  const wire = createServer((client) => {
    const there = dial(port, "127.0.0.1")
    for (const [one, other] of [
      [client, there],
      [there, client],
    ] as const) {
      open.add(one)
      one.pipe(other)
      one.on("error", () => {})
      one.on("close", () => {
        open.delete(one)
        other.destroy()
      })
    }
  })
  afterAll(() => wire.close())
  await new Promise<void>((resolve) => wire.listen(0, "127.0.0.1", resolve))
  return {
    address: `http://127.0.0.1:${(wire.address() as AddressInfo).port}`,
    cut: () => {
      count += open.size
      for (const each of open) each.destroy()
    },
    cutCount: () => count,
  }
}

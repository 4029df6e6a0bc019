/** Attacks at every door are answered within bounds, and the service serves others afterwards. */
import { describe, expect, test } from "vitest"
import { ask } from "../support/siege/ask.ts"
import {
  bounded,
  maxAnswerBytes,
  refused,
  served,
  tooExpensive,
  without,
} from "../support/siege/attack.ts"
import { allAttacks } from "../support/siege/attacks/all.ts"
import { harmlessLinks } from "../support/siege/links.ts"
import { attacksNamed, openSiege, titled } from "./siegeScene.ts"

const siege = await openSiege()

const harmless = [
  ...attacksNamed(
    "anonymous preview",
    "loop of jumps",
    "loop that doubles a text",
    "loop of appends of 50 kB",
    "loop of A/B tests",
    "loop without blocks",
    "jumps and returns",
    "10,000 variables",
    "theme of 3 MB of CSS",
    "CSS of open brackets with the badge's name",
    "Markdown: open brackets",
    "Markdown: quotes",
    "Markdown: lists of numbers",
    "number of digits",
    "e-mail of signs",
    "date in words",
    "phone of brackets",
    "halves of letters",
    "tokens in a reply",
    "code in a reply",
  ),
  ...attacksNamed(
    "tRPC",
    "metadata of 100 levels",
    "metadata of 10,000 levels",
    "path to the prototype",
    "path to the constructor",
    "class of nobody",
    "batch of 500",
    "batch within a batch",
    "names of prototypes",
  ),
  ...attacksNamed(
    "bodies",
    "lists of 250,000 levels",
    "number of a million digits",
    "__proto__ as a key",
    "half letters",
    "bytes that are no UTF-8",
    "packed body of 100 MB",
  ),
  ...attacksNamed("preview with token", "loop that doubles a text"),
  ...attacksNamed(
    "headers",
    "header of 100 kB",
    "two lengths",
    "length and chunks",
    "10,000 chunks of one byte",
  ),
  ...attacksNamed(
    "REST",
    "long session id",
    "path of 7,000 parts",
    "way up from the files",
    "way up in dots",
    "way up in the docs",
    "list of credentials",
  ),
  ...attacksNamed(
    "uploads",
    "larger than it may be",
    "name that leads elsewhere",
    "page instead of a picture",
    "the same leave twice",
    "forged leave",
  ),
  ...attacksNamed("sockets", "WebSocket with a frame of 2^62 bytes"),
  ...attacksNamed("anonymous preview", "flow of nobody"),
]

const controls = allAttacks.filter(({ isControl }) => isControl)

describe("attacks", () => {
  test.each(titled(harmless))("are harmless: %s", async (_, attack) => {
    await siege.expectHarmless(attack)
  })

  test("are many, and each has a place of its own", () => {
    const places = allAttacks.map(({ name, door }) => `${name} at ${door}`)
    expect(new Set(places).size).toBe(places.length)
    expect(new Set(allAttacks.map(({ name }) => name)).size).toBeGreaterThan(200)
  })
})

describe("honest requests of the same shapes", () => {
  test.each(titled(controls))("are served: %s", async (_, attack) => {
    await siege.expectHarmless(attack)
  })
})

describe("the judges", () => {
  const got = { status: 200, bytes: 10, milliseconds: 1, text: '<img src="x">' }

  test("find what is too large, failed, unanswered or served", () => {
    expect(bounded(got)).toBeUndefined()
    expect(bounded({ ...got, bytes: maxAnswerBytes + 1 })).toMatch(/bytes/)
    expect(bounded({ ...got, status: 500 })).toMatch(/500/)
    expect(bounded({ ...got, status: 0, text: "silence" })).toMatch(/silence/)
    expect(bounded({ ...got, status: 503 })).toBeUndefined()
    expect(served({ ...got, status: 400 })).toMatch(/400/)
    expect(refused(400)(got)).toMatch(/200/)
    expect(tooExpensive(got)).toMatch(/200/)
    expect(tooExpensive({ ...got, status: 422, code: "FLOW_TOO_EXPENSIVE" })).toBeUndefined()
    expect(without(/<img/)(got)).toMatch(/<img/)
  })

  test("find links that run code and elements of HTML, but no text that only looks like them", () => {
    const judged = (content: object) =>
      harmlessLinks({ ...got, text: JSON.stringify({ messages: [{ content }] }) })
    const url = "java\tscript:alert(1)"
    expect(judged({ richText: [{ type: "a", url }] })).toMatch(/a link/)
    expect(judged({ markdown: "[x](&#106;avascript:alert(1))" })).toMatch(/a link/)
    expect(judged({ markdown: "<img src=x onerror=alert(1)>" })).toMatch(/an element/)
    const text = "[x](javascript:alert(1))"
    expect(judged({ richText: [{ text }] })).toBeUndefined()
    expect(judged({ markdown: "\\[x](javascript:alert(1)) and \\<img>" })).toBeUndefined()
  })

  test("are shown the code of an answer, over REST and over tRPC", async () => {
    const { address } = siege.target()
    const path = "/api/v1/bots/nobody/startChat"
    expect(await ask(address, { path, body: {} })).toMatchObject({ status: 404, code: "NOT_FOUND" })
    const body = { json: { publicId: "nobody" } }
    const got = await ask(address, { path: "/api/trpc/chat.start", body })
    expect(got).toMatchObject({ status: 404, code: "NOT_FOUND" })
  })
})

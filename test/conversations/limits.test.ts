/** Sections 13 and 14: limits, and failures that do not fail the chat. */
import { describe, expect, it } from "vitest"
import { prepareBot } from "../../src/engine/bot.ts"
import { liveLimits, maxStateLength } from "../../src/engine/limits.ts"
import { openSession, writeSession } from "../../src/engine/session.ts"
import { ask, block, bot, type Draft, group, idOf, link, say, set, when } from "../support/bots.ts"
import { testNow } from "../support/outside.ts"
import { talk } from "../support/talk.ts"

const thrown = (act: () => unknown) => {
  const started = performance.now()
  try {
    act()
  } catch (error) {
    return { error, ms: performance.now() - started }
  }
  throw new Error("nothing was thrown")
}
const timeout = (message: RegExp) =>
  expect.objectContaining({ code: "TIMEOUT", message: expect.stringMatching(message) })

describe("a cycle without an input", () => {
  it("is stopped within a moment where a condition's else leads to its own group", () => {
    const flow = bot(group("Menu", when([["A", "Equal to", "1"]], { otherwise: "Menu" })))
    const { error, ms } = thrown(() => talk(flow))
    expect(error).toEqual(timeout(/10000 blocks .*group "Menu", block 1/))
    expect(ms).toBeLessThan(500)
  })

  it("is stopped where it speaks, jumps, or returns", () => {
    const cycles: Draft[][] = [
      [say("x", { to: "Menu" })],
      [block("Jump", { groupId: "gMenu" })],
      [say("a"), block("Redirect", { url: "e.com" }), say("b", { to: "Menu" })],
    ]
    for (const blocks of cycles) {
      expect(thrown(() => talk(bot(group("Menu", ...blocks)))).error).toEqual(timeout(/"Menu"/))
    }
  })

  it("is stopped also when it goes on after the world's answers", () => {
    const asking = block("Webhook", { webhook: { url: "https://e.com" } }, { to: "Menu" })
    const answers = { http: () => ({ status: 200, text: "" }) }
    const limits = { ...liveLimits, blocks: 100 }
    const flow = bot(group("Menu", asking))
    expect(thrown(() => talk(flow, { answers, limits })).error).toEqual(timeout(/100 blocks/))
  })

  it("of bots that link to one another ends", () => {
    const twice = bot(group("k", link("a"), link("a")))
    const limits = { ...liveLimits, blocks: 500 }
    expect(thrown(() => talk(twice, { linked: { a: twice }, limits })).error).toEqual(
      timeout(/500/),
    )
  })

  it("is none when something is asked on the way", () => {
    const chat = talk(bot(group("Menu", say("Hi"), ask.text({ to: "Menu" }))), {
      limits: { ...liveLimits, blocks: 5 },
    })
    for (let times = 0; times < 20; times++) chat.bot("Hi").asks("text input").user("x")
  })
})

describe("the time of a call", () => {
  it("is limited between two answers of the world", () => {
    let ms = testNow
    const now = () => {
      ms += 20_000
      return ms
    }
    const flow = bot(group("Slow", say("1"), say("2"), say("3")))
    expect(thrown(() => talk(flow, { now })).error).toEqual(timeout(/30000 ms .*"Slow", block 2/))
  })

  it("begins anew after each answer of the world", () => {
    let ms = testNow
    const answers = {
      http: () => {
        ms += 60_000
        return { status: 200, text: "" }
      },
    }
    const request = block("Webhook", { webhook: { url: "https://e.com" } })
    talk(bot(group("g", request, request, say("on"))), { answers, now: () => ms })
      .bot("on")
      .ends()
  })
})

describe("sizes", () => {
  it("a value that doubles in a loop is stopped before it takes all memory", () => {
    const double = block("Set variable", {
      variableId: idOf("L"),
      type: "Append value(s)",
      item: "{{L}}{{L}}",
    })
    const flow = bot({ variables: { L: ["x"] } }, group("g", { ...double, to: "g" }))
    expect(thrown(() => talk(flow)).error).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining('"L"'),
    })
  })

  it("a session larger than what is stored is refused", () => {
    const root = prepareBot(
      bot({ variables: { A: "x".repeat(maxStateLength) } }, group("g")),
      "v",
      "b",
    )
    const opening = { bot: root, isPreview: false, isStreamEnabled: false, isProgressShown: false }
    expect(thrown(() => writeSession(openSession(opening))).error).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    })
  })
})

describe("14 failures of integrations", () => {
  it("become logs, and the flow goes on", () => {
    const failed = { failed: true, description: "no network" } as const
    const answers = { http: () => failed, email: () => failed }
    const flow = bot(
      group(
        "g",
        block("Webhook", { webhook: { url: "https://e.com" } }),
        block("Email", { credentialsId: "default", recipients: ["a@b.co"], body: "Hi" }),
        say("on"),
      ),
    )
    const chat = talk(flow, { answers }).bot("on").ends()
    expect(chat.turn.logs).toHaveLength(2)
  })

  it("refuse the call for payments without an account and for time zones that are none", () => {
    const zone = block("Set variable", { variableId: idOf("A"), type: "Now", timeZone: "Mars" })
    for (const wrong of [
      ask.payment({ amount: "5" }),
      ask.payment({ credentialsId: "c", amount: "x" }),
      zone,
    ]) {
      expect(thrown(() => talk(bot(group("g", wrong)))).error).toMatchObject({
        code: "BAD_REQUEST",
      })
    }
  })

  it("a history that cannot be read leaves a transcript of this call", () => {
    const answers = { history: () => ({ failed: true, description: "gone" }) as const }
    const transcript = block("Set variable", { variableId: idOf("T"), type: "Transcript" })
    talk(bot(group("g", say("Hi"), transcript, set("A", "1"))), { answers })
      .bot("Hi")
      .knows("T", 'Assistant: "Hi"')
      .logs("The past of the chat cannot be read")
  })
})

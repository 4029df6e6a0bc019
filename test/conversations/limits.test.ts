/** Chapters 13 and 14: limits, and failures that do not fail the chat. */
import { describe, expect, it } from "vitest"
import { respond } from "../../src/chat/continueChat.ts"
import { prepareBot } from "../../src/engine/bot.ts"
import { blockUnits, maxStateLength } from "../../src/engine/budget/fuel.ts"
import { authorsLog } from "../../src/engine/schema/log.ts"
import { createSession, writeSession } from "../../src/engine/session.ts"
import {
  ask,
  type BotParts,
  block,
  bot,
  type Draft,
  goBack,
  group,
  idOf,
  link,
  onCommand,
  onIdle,
  say,
  set,
  when,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"
import type { TalkParts } from "../support/talkStage.ts"

const thrown = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return { error }
  }
  throw new Error("nothing was thrown")
}
const tooExpensive = (message: RegExp) =>
  expect.objectContaining({
    reason: "FLOW_TOO_EXPENSIVE",
    message: expect.stringMatching(message),
  })
const blocks = (count: number) => ({ fuel: count * blockUnits })

describe("3.5 a cycle without an input", () => {
  it("is stopped where a condition's else leads to its own group", () => {
    const flow = bot(group("Menu", when([["A", "Equal to", "1"]], { otherwise: "Menu" })))
    expect(thrown(() => talk(flow)).error).toEqual(
      tooExpensive(/more work than one call .*group "Menu" › block 1 "Condition"/),
    )
  })

  it("is stopped where it speaks, jumps, or returns", () => {
    const cycles: Draft[][] = [
      [say("x", { to: "Menu" })],
      [block("Jump", { groupId: "gMenu" })],
      [say("a"), block("Redirect", { url: "e.com" }), say("b", { to: "Menu" })],
    ]
    for (const cycle of cycles) {
      const { error } = thrown(() => talk(bot(group("Menu", ...cycle))))
      expect(error).toEqual(tooExpensive(/"Menu"/))
    }
  })

  it("is also stopped when it continues after calls", () => {
    const asking = block("Webhook", { webhook: { url: "https://e.com" } }, { to: "Menu" })
    let requests = 0
    const answers = {
      http: () => {
        requests += 1
        return { status: 200, text: "" }
      },
    }
    const flow = bot(group("Menu", asking))
    const { error } = thrown(() => talk(flow, { answers, limits: blocks(100) }))
    expect(error).toEqual(tooExpensive(/"Menu" › block 1 "Webhook"/))
    expect(requests).toBeLessThan(100)
  })

  it("of bots that link to one another ends", () => {
    const twice = bot(group("k", link("a"), link("a")))
    const { error } = thrown(() => talk(twice, { linked: { a: twice }, limits: blocks(500) }))
    expect(error).toEqual(tooExpensive(/"k"/))
  })

  it("is none when something is asked on the way", () => {
    const chat = talk(bot(group("Menu", say("Hi"), ask.text({ to: "Menu" }))), {
      limits: blocks(5),
    })
    for (let times = 0; times < 20; times++) chat.bot("Hi").asks("text input").user("x")
  })
})

describe("13.3 sizes", () => {
  it("a value that doubles in a loop is stopped before it takes all memory", () => {
    const double = block("Set variable", {
      variableId: idOf("L"),
      type: "Append value(s)",
      item: "{{L}}{{L}}",
    })
    const flow = bot({ variables: { L: ["x"] } }, group("g", { ...double, to: "g" }))
    const limits = { fuel: 2_000_000 }
    expect(thrown(() => talk(flow, { limits })).error).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining('"L"'),
    })
  })

  it("a session above the limit is refused", () => {
    const root = prepareBot(
      bot({ variables: { A: "x".repeat(maxStateLength) } }, group("g")),
      "v",
      "b",
    )
    const opening = { bot: root, isPreview: false, isStreamEnabled: false, isProgressShown: false }
    expect(thrown(() => writeSession(createSession(opening))).error).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
    })
  })
})

describe("failures of integrations", () => {
  it("14.2 become logs, and the flow continues", () => {
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

  it("14.1 refuse the call for time zones that are none", () => {
    const zone = block("Set variable", { variableId: idOf("A"), type: "Now", timeZone: "Mars" })
    expect(thrown(() => talk(bot(group("g", zone)))).error).toMatchObject({ code: "BAD_REQUEST" })
  })

  it.each([
    { amount: "5" },
    { credentialsId: "c", amount: "x" },
  ])("14.2 offer to retry a payment with %j, after the messages before it", (options) => {
    const payment = ask.payment(options)
    const chat = talk(bot(group("g", ask.text({ saves: "A" }), say("Thanks, {{A}}"), payment)))
    const impossible = "Payment is not possible right now."
    const again = { items: [{ id: "retry", content: "Try again" }] }
    chat.user("Ann").bot("Thanks, Ann", impossible).asks("choice input", again)
    expect(respond(chat.turn).logs).toEqual([
      { status: "error", description: expect.stringMatching(/^The (payment|amount)/) },
    ])
    chat.user("Try again").bot(impossible).asks("choice input", again).knows("A", "Ann")
  })

  const unchecked = "Your payment could not be confirmed yet. You do not have to pay again."

  it("14.2 offer to try a payment again that the provider fails to prepare or to check", () => {
    const failed = { failed: true, description: "Account acct_1 is locked" } as const
    const prepared = { intentId: "pi_1", clientSecret: "s", publicKey: "p" }
    let isUp = false
    const intents: string[] = []
    const answers: TalkParts["answers"] = {
      paymentIntent: ({ kind }) => {
        intents.push(kind)
        return isUp ? prepared : failed
      },
      paymentCheck: () => (isUp ? { succeeded: true } : failed),
    }
    const payment = ask.payment({ credentialsId: "c", amount: "5", saves: "V" })
    const chat = talk(bot(group("g", say("Hello"), payment, say("Paid: {{V}}"))), { answers })
    const again = { items: [{ id: "retry", content: "Try again" }] }
    chat.bot("Hello", "Payment is not possible right now.").asks("choice input", again)
    expect(respond(chat.turn).logs).toEqual([
      { status: "error", description: "The payment could not be prepared" },
    ])
    chat.user("Try again").bot("Payment is not possible right now.").asks("choice input", again)
    isUp = true
    chat.user("Try again").asks("payment input", { runtimeOptions: { paymentIntentId: "pi_1" } })
    isUp = false
    chat.user("Success").bot(unchecked).asks("choice input", again)
    chat.user("Try again").bot(unchecked).asks("choice input", again)
    isUp = true
    chat.user("Try again").bot("Paid: Success").ends()
    expect(intents).toHaveLength(3)
  })

  const remind = group("Remind", say("Still there?"))
  const askMore = group("Remind", say("Still there?"), ask.text())
  const comeBack = group("Remind", say("Still there?"), ask.text(), goBack())
  type Chat = ReturnType<typeof talk>
  it.each<
    [
      string,
      ReturnType<typeof group>,
      NonNullable<BotParts["events"]>[number],
      (chat: Chat) => Chat,
    ]
  >([
    ["silence", remind, onIdle(60, "Remind"), (chat) => chat.fallsSilent(60).bot("Still there?")],
    [
      "a question to silence",
      askMore,
      onIdle(60, "Remind"),
      (chat) => chat.fallsSilent(60).bot("Still there?").user("Yes"),
    ],
    [
      "a command",
      askMore,
      onCommand("help", "Remind", { resumeAfter: true }),
      (chat) => chat.commands("help").bot("Still there?").user("Yes"),
    ],
    [
      "a command that returns",
      comeBack,
      onCommand("help", "Remind"),
      (chat) => chat.commands("help").bot("Still there?").user("Yes"),
    ],
  ])("14.2 ask for no second payment after %s before the first is checked", (_, path, event, interrupt) => {
    let isUp = false
    let prepared = 0
    const answers: TalkParts["answers"] = {
      paymentIntent: () => {
        prepared += 1
        return { intentId: `pi_${prepared}`, clientSecret: "s", publicKey: "p" }
      },
      paymentCheck: ({ intentId }) =>
        isUp ? { succeeded: intentId === "pi_1" } : { failed: true, description: "Stripe is down" },
    }
    const payment = ask.payment({ credentialsId: "c", amount: "5", saves: "V" })
    const flow = bot({ events: [event] }, group("g", payment, say("Paid: {{V}}")), path)
    const chat = talk(flow, { answers }).user("Success").bot(unchecked)
    interrupt(chat).bot(unchecked).asks("choice input")
    isUp = true
    chat.user("Try again").bot("Paid: Success").ends()
    expect(prepared).toBe(1)
  })

  it("14.2 ask for a payment again that turns out not to be made", () => {
    let isUp = false
    const answers: TalkParts["answers"] = {
      paymentIntent: () => ({ intentId: "pi", clientSecret: "s", publicKey: "p" }),
      paymentCheck: () =>
        isUp ? { succeeded: false } : { failed: true, description: "Stripe is down" },
    }
    const payment = ask.payment({ credentialsId: "c", amount: "5" })
    const chat = talk(bot(group("g", payment)), { answers })
      .user("Success")
      .bot(unchecked)
    isUp = true
    chat
      .user("Try again")
      .bot("The payment did not go through. Please try again.")
      .asks("payment input")
  })

  it("14.2 name the block and its group to the authors alone", () => {
    const flow = bot(
      group("Order", block("Webhook", { webhook: {} }, { id: "hook" }), say("on")),
      group("Mail", block("Email", { recipients: ["a@b.co"], body: "Hi" })),
    )
    const place = 'Webhook block hook in group "Order"'
    const live = talk(flow)
    expect(respond(live.turn).logs).toEqual([
      { status: "error", description: "The HTTP request has no address" },
    ])
    expect(respond(talk(flow, { isPreview: true }).turn).logs).toMatchObject([{ context: place }])
    expect(live.results.flatMap(({ logs }) => logs.map(authorsLog))).toMatchObject([
      { context: place },
    ])
  })

  it("14.2 keep a mail without a sender account from the people who chat", () => {
    const mail = block("Email", { recipients: ["a@b.co"], body: "Hi" })
    const { turn } = talk(bot(group("g", mail)))
    expect(turn.logs).toMatchObject([{ description: "The mail has no sender account" }])
    expect(respond(turn).logs).toBeUndefined()
  })

  it("14.2 a history that cannot be read leaves a transcript of this call", () => {
    const answers = { history: () => ({ failed: true, description: "gone" }) as const }
    const transcript = block("Set variable", { variableId: idOf("T"), type: "Transcript" })
    talk(bot(group("g", say("Hi"), transcript, set("A", "1"))), { answers })
      .bot("Hi")
      .knows("T", 'Assistant: "Hi"')
      .logs("The past of the chat cannot be read")
  })
})

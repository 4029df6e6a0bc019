/** Silence as a bot answers it: a path that runs while an input waits, and then asks again. */
import { describe, expect, it } from "vitest"
import { silenceOf } from "../../src/engine/silence.ts"
import {
  ask,
  block,
  bot,
  goBack,
  group,
  jump,
  link,
  onCommand,
  onIdle,
  say,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const order = group("Order", say("Which size?"), ask.choice(["S", "L"]), say("Thanks"))
const remind = group("Remind", say("Still there?"))

describe("4.3 a reply that names its question", () => {
  it("does not affect a block that waits for the client, which keeps waiting", () => {
    const late = { type: "text", text: "L", metadata: { inputId: "size" } } as const
    const wait = block("Wait", { secondsToWaitFor: "2", shouldPause: true })
    const chat = talk(bot(group("Order", ask.text({ id: "size" }), wait, say("Thanks"))))
    chat.user("S").waits()
    const { step } = chat.turn.session
    chat.user(late).silent().waits()
    expect(chat.turn.session.step).toBe(step)
    chat.user("done").bot("Thanks").ends()
  })
})

describe("5.6 silence", () => {
  it("runs the path of its threshold and asks the pending input again", () => {
    talk(bot({ events: [onIdle(60, "Remind")] }, order, remind))
      .bot("Which size?")
      .asks("choice input")
      .fallsSilent(60)
      .bot("Still there?")
      .asks("choice input")
      .user("L")
      .bot("Thanks")
      .ends()
  })

  it("does not take a reply that names the question before it, and asks its own again", () => {
    const offer = group("Offer", say("A person?"), ask.choice(["Yes", "No"], { saves: "Person" }))
    const named = group("Order", say("Which size?"), ask.text({ id: "size", saves: "Size" }))
    const late = { type: "text", text: "L", metadata: { inputId: "size" } } as const
    const chat = talk(bot({ events: [onIdle(60, "Offer")] }, named, offer))
      .bot("Which size?")
      .fallsSilent(60)
      .bot("A person?")
    const before = chat.turn.session
    chat.user(late).silent().asks("choice input")
    expect(chat.turn).toMatchObject({ isUnheard: true })
    expect(chat.turn.session).toEqual({ ...before, step: before.step + 1 })
    chat.user("No").knows("Person", "No").asks("text input").user(late).knows("Size", "L").ends()
  })

  it("may ask something itself, and comes back once that is answered", () => {
    const offer = group("Offer", say("A person?"), ask.choice(["Yes", "No"], { saves: "Person" }))
    talk(bot({ events: [onIdle(60, "Offer")] }, order, offer))
      .bot("Which size?")
      .fallsSilent(60)
      .bot("A person?")
      .asks("choice input")
      .user("No")
      .knows("Person", "No")
      .asks("choice input")
      .user("S")
      .bot("Thanks")
      .ends()
  })

  it("asks again at a Return of its path, though a jump led to the input, which leads back later", () => {
    const flow = bot(
      { events: [onIdle(60, "Remind")] },
      group("Order", jump("Size"), say("Anything else?"), ask.text({ saves: "More" })),
      group("Size", say("Which size?"), ask.text({ saves: "Size" }), goBack()),
      group("Remind", jump("Hint"), say("Still there?"), goBack()),
      group("Hint", say("Psst"), goBack()),
    )
    talk(flow)
      .bot("Which size?")
      .fallsSilent(60)
      .bot("Psst", "Still there?")
      .asks("text input")
      .user("L")
      .knows("Size", "L")
      .bot("Anything else?")
      .asks("text input")
      .user("No")
      .ends()
  })

  it("changes nothing at thresholds that no event has, and where the event leads nowhere", () => {
    for (const event of [onIdle(120, "Remind"), onIdle(60, undefined)]) {
      const chat = talk(bot({ events: [event] }, order, remind))
      const { session } = chat.turn
      chat.fallsSilent(60).silent().turns({ isWaiting: true, session, results: [] })
      chat.user("S").bot("Thanks").ends()
    }
  })

  it("does not interrupt a block that waits for another system", () => {
    const waiting = group("Order", block("webhook", {}, { id: "hook" }), say("Paid"))
    talk(bot({ events: [onIdle(60, "Remind")] }, waiting, remind))
      .waits()
      .fallsSilent(60)
      .silent()
      .called({ paid: true })
      .bot("Paid")
      .ends()
  })

  it("is answered by the bot that runs", () => {
    const child = bot(
      { events: [onIdle(60, "Hey")] },
      group("In", ask.text()),
      group("Hey", say("Child")),
    )
    talk(
      bot({ events: [onIdle(60, "Remind")] }, group("Out", link("child"), say("Back")), remind),
      {
        linked: { child },
      },
    )
      .asks("text input")
      .fallsSilent(60)
      .bot("Child")
      .asks("text input")
      .user("Hi")
      .bot("Back")
      .ends()
  })

  it("counts by the thresholds of the settings and of the events, each once, the shortest first", () => {
    const events = [onIdle(60, "Remind"), onIdle(30, "Remind"), onCommand("x", "Remind")]
    const flow = bot({ events, settings: { sessions: { idleAfter: [60, 20] } } }, order, remind)
    expect(silenceOf(flow.settings, flow.events)).toEqual({ idle: [20, 30, 60] })
    const plain = bot(order)
    expect(silenceOf(plain.settings, plain.events)).toBeUndefined()
    const expiring = bot({ settings: { sessions: { expiresAfter: 60 } } }, order)
    expect(silenceOf(expiring.settings, expiring.events)).toEqual({ idle: [], expiresAfter: 60 })
  })
})

describe("5.7 steering", () => {
  const flow = bot(
    group("A", ask.text({ saves: "Name" }), say("Hi {{Name}}"), ask.text({ id: "q" })),
    group("Help", say("Help for {{Name}}"), ask.text({ id: "h" })),
  )
  const toHelp = { continueAt: { groupId: "gHelp" } }

  it("sets variables and waits where it waited", () => {
    const chat = talk(flow).user("Ann").bot("Hi Ann")
    const { step } = chat.turn.session
    chat
      .steered({ variables: { Name: "Anne" } })
      .silent()
      .knows("Name", "Anne")
    chat.stored({ Name: "Anne" }, { hasStarted: true, isCompleted: false })
    expect(chat.turn.session).toMatchObject({ at: "q", step })
  })

  it("continues elsewhere, at a group or at a block of it", () => {
    talk(flow).user("Ann").steered(toHelp).bot("Help for Ann").asks("text input", { id: "h" })
    talk(flow)
      .user("Ann")
      .steered({ continueAt: { groupId: "gA", blockId: "q" } })
      .asks("text input", { id: "q" })
  })

  it("drops queued paths and the mark", () => {
    const parts = { events: [onCommand("x", "Ask", { resumeAfter: true })] }
    const chat = talk(
      bot(parts, group("A", ask.text()), group("Ask", ask.text()), group("B", say("B"))),
    )
    chat
      .commands("x")
      .steered({ continueAt: { groupId: "gB" } })
      .bot("B")
      .ends()
  })

  it("leaves linked bots without completing their results", () => {
    const child = bot(group("In", ask.text({ saves: "Inner" }), ask.text()))
    const outer = bot(
      group("Out", link("child")),
      group("Help", say("Outer help"), ask.text({ id: "h" })),
    )
    const chat = talk(outer, { linked: { child } }).user("Hi")
    chat.steered(toHelp).bot("Outer help").asks("text input", { id: "h" })
    const left = chat.results.findLast(({ version }) => version === "version of child")
    expect(left?.row).toMatchObject({ hasStarted: true, isCompleted: false })
    expect(chat.turn.session.queue).toHaveLength(1)
  })

  it.each([
    [{ variables: { Nmae: "x" } }, 'This chat has no variable "Nmae"'],
    [{ continueAt: { groupId: "gNone" } }, 'has no group "gNone"'],
    [{ continueAt: { groupId: "gHelp", blockId: "q" } }, '"Help" has no block "q"'],
  ])("refuses %j", (steering, words) => {
    expect(() => talk(flow).user("Ann").steered(steering)).toThrow(words)
  })
})

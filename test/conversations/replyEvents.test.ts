/** Rule 5.4: the events for replies and for invalid replies. */
import { describe, expect, it } from "vitest"
import { blockTypes } from "../../src/engine/blocks/registry.ts"
import { ask, block, bot, goBack, group, link, onReply, say, set } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const retry = "That answer is not valid. Please try again."

describe("5.4 the reply event", () => {
  it("names the kind of every input", () => {
    const kinds = {
      text: ask.text(),
      number: ask.number(),
      email: ask.email(),
      url: ask.url(),
      date: ask.date(),
      time: ask.time(),
      phone: ask.phone(),
      buttons: ask.choice(["a"]),
      "picture choice": ask.picture({ items: [{ id: "i", title: "a" }] }),
      rating: ask.rating(),
      file: ask.file(),
      cards: ask.cards({ items: [{ id: "i", title: "a" }] }),
    }
    const all = Object.values(blockTypes).flatMap((type) =>
      type.kind === "input" && type.replyName !== "payment" ? type.replyName : [],
    )
    expect(Object.keys(kinds).sort()).toEqual(all.sort())
    for (const [kind, input] of Object.entries(kinds)) {
      const flow = bot({ events: [onReply("r")] }, group("g", input), group("r", say("-{{Type}}")))
      talk(flow).user("x").bot(`-${kind}`).ends()
    }
  })

  it("gives the address of a voice clip as content, and nothing for an absent reply", () => {
    const flow = bot(
      { events: [onReply("r")] },
      group("g", ask.text()),
      group("r", say("-{{Content}}")),
    )
    talk(flow).user({ type: "audio", url: "https://e.com/a.mp3" }).bot("-https://e.com/a.mp3")
    talk(flow).user().bot("-")
  })

  it("ends the chat without a Return, and the answer is not saved", () => {
    const flow = bot(
      { events: [onReply("r")] },
      group("g", ask.text({ saves: "A" }), say("no")),
      group("r", say("heard")),
    )
    talk(flow).user("x").bot("heard").ends().knows("A", undefined).answered()
  })

  it("needs an edge", () => {
    talk(bot({ events: [onReply(undefined)] }, group("g", ask.text(), say("on"))))
      .user("x")
      .bot("on")
      .ends()
  })

  it("judges the reply with the variables that its flow has set", () => {
    const flow = bot(
      { events: [onReply("r")], variables: { Max: "5" } },
      group("g", ask.number({ max: "{{Max}}" }), say("ok")),
      group("r", set("Max", "50"), goBack()),
    )
    talk(flow).user("20").bot("ok").ends()
  })

  it("follows the chosen item's edge after its flow", () => {
    const flow = bot(
      { events: [onReply("r")] },
      group("g", ask.choice([{ content: "A", to: "a" }])),
      group("a", say("chose A")),
      group("r", say("heard"), goBack()),
    )
    talk(flow).user("A").bot("heard", "chose A").ends()
  })

  it("fires for an input in its own flow too", () => {
    const flow = bot(
      { events: [onReply("r")] },
      group("g", ask.text(), say("done")),
      group("r", say("{{Content}}?"), ask.text(), say("never")),
    )
    talk(flow).user("a").bot("a?").asks("text input").user("b").bot("b?").asks("text input")
  })

  it("fires again on the next reply", () => {
    const flow = bot(
      { events: [onReply("r")] },
      group("g", ask.number(), say("ok")),
      group("r", say("{{Content}}"), goBack()),
    )
    talk(flow).user("x").bot("x", retry).user("y").bot("y", retry).user("1").bot("1", "ok").ends()
  })

  it("10.8 has the saved form of the last reply, not of the one that an event has kept", () => {
    const groups = [
      group("g", ask.email({ saves: "E" }), say("{{E}} {{K}}")),
      group("r", link("kid", { mergeResults: true }), goBack()),
    ]
    const chat = (...blocks: ReturnType<typeof say>[]) => {
      const linked = { kid: bot(group("k", ...blocks)) }
      return talk(bot({ events: [onReply("r")] }, ...groups), { linked }).user("A@B.co")
    }
    const asked = chat(ask.text({ saves: "K" }))
    asked.newFormat(undefined).user("kid").bot("a@b.co kid").newFormat(undefined)
    const changed = chat(ask.number({ saves: "K" }))
    changed.user("1,5").bot("a@b.co 1.5").newFormat("1.5")
    const waited = chat(block("Wait", { secondsToWaitFor: "1", shouldPause: true }))
    waited.user().bot("a@b.co ").newFormat("a@b.co")
  })

  it("processes even an absent reply on return", () => {
    const flow = bot(
      { events: [onReply("r")] },
      group("g", ask.file({ isRequired: false }), say("skipped")),
      group("r", goBack()),
    )
    talk(flow).user().bot("skipped").ends().answered()
  })

  it("is that of the bot that runs, not of its parent", () => {
    const parent = bot(
      { events: [onReply("r")] },
      group("g", link("kid"), ask.text(), say("end")),
      group("r", say("heard"), goBack()),
    )
    talk(parent, { linked: { kid: bot(group("k", ask.text())) } })
      .user("x")
      .asks("text input")
      .user("y")
      .bot("heard", "end")
      .ends()
  })
})

describe("5.4 the event for invalid replies", () => {
  const both = [onReply("r"), onReply("v", "invalidReply")]
  const groups = [
    group("g", ask.number({ id: "i" }), say("ok")),
    group("r", say("heard"), goBack()),
    group("v", say("really, {{Content}}?"), goBack()),
  ]

  it("goes before the reply event, and only when the reply is not valid", () => {
    talk(bot({ events: both }, ...groups))
      .user("x")
      .bot("really, x?")
      .asks("number input", { id: "i" })
      .user("1")
      .bot("heard", "ok")
      .ends()
  })

  it("begins at the block that its edge names", () => {
    const second = group("v", say("no"), say("yes", { id: "second" }), goBack())
    talk(bot({ events: [onReply("v#second", "invalidReply")] }, group("g", ask.number()), second))
      .user("x")
      .bot("yes")
      .asks("number input")
  })

  it("refuses the reply with 400 when it leads nowhere", () => {
    const flow = bot({ events: [onReply(undefined, "invalidReply")] }, group("g", ask.number()))
    expect(() => talk(flow).user("x")).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }))
    talk(flow).user("1").ends()
  })

  it("ends the chat without a Return", () => {
    talk(
      bot(
        { events: [onReply("v", "invalidReply")] },
        group("g", ask.number()),
        group("v", say("bye")),
      ),
    )
      .user("x")
      .bot("bye")
      .ends()
      .answered()
  })
})

/** Chapter 3: how a flow is walked. */
import { describe, expect, it } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import type { OpeningRule } from "../../src/engine/turn/run.ts"
import {
  ask,
  type BotParts,
  block,
  bot,
  type Draft,
  group,
  groupIdOf,
  onCommand,
  say,
  set,
  show,
  when,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const refused = expect.objectContaining({ code: "BAD_REQUEST" })

describe("3.1 where a chat starts", () => {
  it("starts where the edge of the start event leads, not at the first group", () => {
    const flow = bot(group("start", say("here")), group("other", say("there")))
    const [other, ...rest] = [...flow.groups].reverse()
    if (other)
      talk({ ...flow, groups: [other, ...rest] })
        .bot("here")
        .ends()
  })

  it("starts an older bot at the edge of its start block", () => {
    for (const version of ["3", "4", "5"] as const) {
      talk(bot({ version }, group("g", say("here")), group("other", say("there"))))
        .bot("here")
        .ends()
    }
  })

  it("says nothing when no edge leaves the start, or one that leads nowhere", () => {
    const flow = bot(group("g", say("here")))
    talk({ ...flow, edges: [] }).ends()
    const start = { id: "s", type: "start" as const, graphCoordinates: { x: 0, y: 0 } }
    talk({ ...flow, events: [start] }).ends()
    talk({ ...bot({ version: "5" }, group("g", say("here"))), groups: [] }).ends()
  })

  it("may start at a group or at an event, and refuses others", () => {
    const flow = bot({ events: [onCommand("x", "c")] }, group("g"), group("c", say("there")))
    talk(flow, { from: { type: "group", groupId: groupIdOf("c") } })
      .bot("there")
      .ends()
    talk(flow, { from: { type: "event", eventId: "event0" } })
      .bot("there")
      .ends()
    expect(() => talk(flow, { from: { type: "group", groupId: "?" } })).toThrow(refused)
    expect(() => talk(flow, { from: { type: "event", eventId: "?" } })).toThrow(refused)
  })
})

describe("3.2 the walk", () => {
  it("goes from group to group until something is asked", () => {
    const first = group("a", say("1", { to: "b" }))
    talk(bot(first, group("b", say("2", { to: "c" })), group("c", say("3"), ask.text(), say("4"))))
      .bot("1", "2", "3")
      .asks("text input")
  })
})

describe("3.3 a group", () => {
  it("shows a bubble without content as nothing", () => {
    talk(bot(group("g", { type: "text" }, { type: "image" }, say("after"))))
      .bot("after")
      .ends()
  })

  it("stops at an embed that waits for an event, and passes one that does not", () => {
    const waiting = show("embed", { url: "u", waitForEvent: { isEnabled: true, name: "done" } })
    talk(bot(group("g", waiting, say("after"))))
      .shows("embed", { url: "u" })
      .waits()
      .user()
      .bot("after")
      .ends()
    talk(bot(group("g", show("embed", { url: "u" }), say("after"))))
      .shows("embed", { url: "u" })
      .bot("after")
      .ends()
  })

  it("leaves at once where a block names an edge that is not its own", () => {
    const flow = bot(
      { variables: { A: "1" } },
      group("g", when([["A", "Equal to", "1"]], { to: "yes" }), say("skipped")),
      group("yes", say("yes")),
    )
    talk(flow).bot("yes").visited("e1").ends()
  })

  it("does not record edges of the default path", () => {
    talk(bot(group("g", set("A", "1", { to: "h" })), group("h", ask.text({ to: "i" })), group("i")))
      .user("x")
      .visited()
  })

  it("skips types it does not know, with a log", () => {
    talk(bot(group("g", { type: "hologram", to: "h" }, say("after")), group("h", say("no"))))
      .bot("after")
      .logs(/hologram/)
      .ends()
  })

  it("follows the edge of a block of an unknown type that ends its group", () => {
    talk(bot(group("g", { type: "hologram", to: "h" }), group("h", say("there"))))
      .bot("there")
      .ends()
  })

  it("ends at a group without blocks", () => {
    talk(bot(group("g", say("1", { to: "empty" })), group("empty")))
      .bot("1")
      .ends()
  })
})

describe("3.4 where an edge leads", () => {
  const to = (flow: Flow, target: object): Flow => ({
    ...flow,
    edges: flow.edges.map((edge) =>
      edge.id === "e0" ? { ...edge, to: { ...edge.to, ...target } } : edge,
    ),
  })
  const flow = bot(
    group("g", say("1", { id: "b1" }), say("2", { id: "b2" }), say("3", { id: "b3" })),
  )

  it("begins at the block that the edge names", () => {
    talk(to(flow, { blockId: "b2" }))
      .bot("2", "3")
      .ends()
  })

  it("begins at the first block when the named one is not in the group", () => {
    talk(to(flow, { blockId: "gone" }))
      .bot("1", "2", "3")
      .ends()
  })

  it("ends where the target group is missing", () => {
    talk(bot(group("g", say("1", { to: "gone" }))))
      .bot("1")
      .ends()
  })

  it("looks only at outgoingEdgeId, never at where an edge says it comes from", () => {
    const astray = {
      ...flow,
      edges: [
        ...flow.edges,
        { id: "x", from: { blockId: "b1" }, to: { groupId: "gg", blockId: "b1" } },
      ],
    }
    talk(astray).bot("1", "2", "3").ends()
  })
})

describe("3.5 ends and guards", () => {
  it("ends where the last block of a path has no edge", () => {
    talk(bot(group("g", say("1")), group("h", say("2"))))
      .bot("1")
      .ends()
  })

  it("stops a cycle without an input and names the place", () => {
    const flow = bot(
      group("Round", set("A", '"1"', { to: "Trip" })),
      group("Trip", say("x", { to: "Round" })),
    )
    const error = expect.objectContaining({
      reason: "FLOW_TOO_EXPENSIVE",
      message: expect.stringMatching(/loop without an input.*group "(Round|Trip)" › block 1/),
    })
    expect(() => talk(flow)).toThrow(error)
  })
})

describe("3.7 a message sent with the start", () => {
  const opening = { type: "text", text: "Ann" } as const

  it("answers the first input when nothing was said before it", () => {
    talk(bot(group("g", ask.text({ saves: "N" }), say("Hi {{N}}"), ask.email())), { opening })
      .bot("Hi Ann")
      .asks("email input")
      .answered("Ann")
      .newFormat(undefined)
  })

  it("is dropped after a bubble", () => {
    talk(bot(group("g", say("Name?"), ask.text())), { opening })
      .bot("Name?")
      .asks("text input")
      .answered()
  })

  it("is dropped at choices, pictures, cards and payments", () => {
    const inputs = [ask.choice(["Ann"]), ask.picture({ items: [{ id: "i", title: "Ann" }] })]
    for (const input of [...inputs, ask.cards({ items: [{ id: "i", title: "Ann" }] })]) {
      talk(bot(group("g", input, say("no"))), { opening })
        .asks(input.type)
        .answered()
    }
  })

  it("is dropped where the client must report first", () => {
    const flow = bot(group("g", set("A", "1", { isExecutedOnClient: true }), ask.text()))
    talk(flow, { opening }).waits().answered()
  })

  it("is dropped where nothing is asked", () => {
    talk(bot(group("g", set("A", "1"))), { opening })
      .ends()
      .answered()
  })

  it("keeps the actions that went before the input it answers", () => {
    const flow = bot(
      group("g", block("Code", { content: "a()" }), ask.text(), say("Hi"), ask.text()),
    )
    talk(flow, { opening })
      .bot("Hi")
      .asks("text input")
      .does({ type: "scriptToExecute" })
      .answered("Ann")
  })

  it("gets the retry when it is not valid", () => {
    talk(bot(group("g", ask.number())), { opening })
      .bot("That answer is not valid. Please try again.")
      .asks("number input")
  })
})

describe("3.8 the message that starts a conversation under a key", () => {
  const opening = { type: "text", text: "Ann" } as const
  const asked = (input: Draft, { events = [] }: BotParts = {}) =>
    bot(
      { events },
      group("g", say("Hello"), input, say("Thanks"), ask.date()),
      group("Event", say("Event")),
    )
  const begin = (flow: Flow, openingRule: OpeningRule, text = "Ann") =>
    talk(flow, { opening: { ...opening, text }, openingRule })

  it("answers the first input that accepts it, after a bubble too", () => {
    const choice = ask.choice(["Bob", "Ann"])
    for (const input of [ask.text(), choice, ask.cards({ items: [{ id: "i", title: "Ann" }] })]) {
      const chat = begin(asked(input), "ifAccepted")
      chat.bot("Hello", "Thanks").asks("date input").answered("Ann")
      expect(chat.turn.isUnheard).toBe(false)
    }
  })

  it("does not change a question that refuses it, and fires no event", () => {
    for (const type of [undefined, "reply", "invalidReply"] as const) {
      const events = type ? [{ type, to: "Event" }] : []
      const chat = begin(asked(ask.email(), { events }), "ifAccepted")
      chat.bot("Hello").asks("email input").answered()
      expect(chat.turn.isUnheard).toBe(true)
    }
    begin(asked(ask.email()), "ifAccepted").user("a@b.co").bot("Thanks").answered("a@b.co")
    const several = ask.choice(["Red", "Blue"], { isMultipleChoice: true })
    for (const choice of [ask.choice(["Yes"]), several]) {
      begin(asked(choice), "ifAccepted", "Hi, I have 2 questions")
        .bot("Hello")
        .asks("choice input")
        .answered()
    }
    begin(asked(ask.text()), "ifAccepted", " ").bot("Hello").asks("text input").answered()
  })

  it("is a reply like any other where the caller says so", () => {
    const retry = "This does not look like an email address. Could you type it again?"
    begin(asked(ask.email()), "always").bot("Hello", retry).asks("email input").answered()
    begin(asked(ask.choice(["Yes"])), "always")
      .bot("Hello", "That answer is not valid. Please try again.")
      .asks("choice input")
    for (const more of [{}, { isMultipleChoice: true }]) {
      begin(asked(ask.choice(["Ann"], more)), "always")
        .bot("Hello", "Thanks")
        .answered("Ann")
    }
  })

  it("answers nothing where the caller says so, before a bubble neither", () => {
    const chat = begin(bot(group("g", ask.text(), say("no"))), "never")
    chat.asks("text input").answered()
    expect(chat.turn.isUnheard).toBe(true)
  })

  it("answers nothing where nothing is asked, or the client must report first", () => {
    const waits = set("A", "1", { isExecutedOnClient: true })
    for (const openingRule of ["ifAccepted", "always"] as const) {
      const parrot = begin(bot(group("g", say("Bye"))), openingRule)
      expect(parrot.bot("Bye").ends().turn.isUnheard).toBe(true)
      const chat = begin(bot(group("g", waits, ask.text())), openingRule)
      expect(chat.waits().answered().turn.isUnheard).toBe(true)
    }
  })

  it("pays nothing", () => {
    const payment = ask.payment({ credentialsId: "c", amount: "1", currency: "EUR" })
    const answers = {
      paymentIntent: () => ({ intentId: "i", clientSecret: "s", publicKey: "k" }) as const,
    }
    for (const openingRule of ["ifAccepted", "always"] as const) {
      talk(asked(payment), { opening, openingRule, answers })
        .bot("Hello")
        .asks("payment input")
        .answered()
    }
  })

  it("is judged with inline code, and after calls to the outside world", () => {
    const request = block("Webhook", { webhook: { url: "https://e.com" } })
    const systemMessages = { invalidMessage: "{{= 1 + 1 =}}" }
    const flow = bot(
      { settings: { general: { systemMessages } } },
      group("g", say("Hello"), request, ask.number({ saves: "N" }), say("{{N}}"), ask.date()),
    )
    const answers = { http: () => ({ status: 200, text: "{}" }) }
    const start = (text: string) =>
      talk(flow, { opening: { ...opening, text }, openingRule: "ifAccepted", answers })
    start("5").bot("Hello", "5").asks("date input").answered("5")
    start("five").bot("Hello").asks("number input").answered()
  })

  it("fires a command at any question", () => {
    const flow = asked(ask.number(), { events: [onCommand("help", "Event")] })
    const command = { type: "command", command: "help" } as const
    talk(flow, { opening: command, openingRule: "ifAccepted" }).bot("Hello", "Event").ends()
    talk(flow, { opening: command }).bot("Hello").asks("number input")
  })
})

describe("1.3 versions", () => {
  it("merge the results of a link before version 6 by default", () => {
    const kid = bot(group("c", ask.text({ saves: "A" })))
    const parent = (version: "5" | "6") =>
      bot(
        { version, variables: { A: null } },
        group("g", { type: "Bot link", options: { botId: "kid" } }, say("-{{A}}")),
      )
    talk(parent("5"), { linked: { kid } }).user("x").bot("-x")
    talk(parent("6"), { linked: { kid } }).user("x").bot("-")
  })
})

describe("1.1 equal ids", () => {
  it("the first of several groups, blocks, edges and variables counts", () => {
    const flow = bot(
      { variables: { A: "first" } },
      group("g", say("{{A}}", { to: "h" })),
      group("h", say("there")),
    )
    const [entry, edge] = flow.edges
    const twice = {
      ...flow,
      groups: [...flow.groups, ...flow.groups.map((each) => ({ ...each, blocks: [] }))],
      edges: [...flow.edges, { ...edge, ...entry, id: edge?.id ?? "" }],
      variables: [...flow.variables, { id: "other", name: "A", value: "second" }],
    } as Flow
    talk(twice).bot("first", "there").ends()
  })
})

/** Chapter 10: the parts of an answer. */
import { describe, expect, it } from "vitest"
import { respond } from "../../src/chat/continueChat.ts"
import { ask, block, bot, group, idOf, link, p, say, sayRich, set, show } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const retry = "That answer is not valid. Please try again."

describe("10.1 messages", () => {
  it("carry the id of their block and nothing of its edge", () => {
    const chat = talk(bot(group("g", say("Hi", { id: "t", to: "h" })), group("h")))
    expect(chat.turn.messages).toEqual([
      { id: "t", type: "text", content: { type: "richText", richText: [p("Hi")] } },
    ])
  })

  it("show pictures, videos, clips and pages with their variables", () => {
    const variables = { V: "dQw4w9WgXcQ" }
    const flow = bot(
      { variables },
      group(
        "g",
        show("image", { url: "https://e.com/{{V}}.png", clickLink: { url: "https://{{V}}" } }),
        show("video", { url: "https://www.youtube.com/watch?v={{V}}" }),
        show("audio", { url: "https://e.com/{{V}}.mp3", isAutoplayEnabled: false }),
        show("embed", { url: "https://e.com/{{V}}", height: "{{U}}" }),
        { type: "text", content: { html: "<b>old</b>" } },
      ),
    )
    talk(flow)
      .shows("image", {
        url: "https://e.com/dQw4w9WgXcQ.png",
        clickLink: { url: "https://dQw4w9WgXcQ" },
      })
      .shows("video", { type: "youtube", id: "dQw4w9WgXcQ" })
      .shows("audio", { url: "https://e.com/dQw4w9WgXcQ.mp3", isAutoplayEnabled: false })
      .shows("embed", { url: "https://e.com/dQw4w9WgXcQ" })
      .rich()
      .ends()
  })

  it("are rich text, or Markdown when that was asked for", () => {
    const flow = bot(group("g", sayRich([p("a"), p(""), p("b")]), say("c")))
    const [first, second] = respond(talk(flow, { textFormat: "markdown" }).turn).messages
    expect([first?.content, second?.content]).toEqual([
      { type: "markdown", markdown: "a\n\nb" },
      { type: "markdown", markdown: "c" },
    ])
    const { turn } = talk(flow)
    expect(respond(turn).messages).toEqual([
      {
        id: expect.any(String),
        type: "text",
        content: { type: "richText", richText: [p("a"), p(""), p("b")] },
      },
      { id: expect.any(String), type: "text", content: { type: "richText", richText: [p("c")] } },
    ])
  })
})

describe("7.7 an answer in Markdown", () => {
  const textFormat = "markdown"
  const hostile = "](javascript:alert(1))[x"
  const escaped = "\\]\\(javascript:alert(1))\\[x"

  it("escapes values in bubbles, also after a call to the world", () => {
    const variables = { A: hostile }
    const flow = bot(
      { variables },
      group("g", say("a {{A}}"), say("b {{={{A}}=}}"), say("c {{A}}"), ask.text()),
    )
    talk(flow, { textFormat }).bot(`a ${escaped}`, `b ${escaped}`, `c ${escaped}`)
  })

  it("escapes values in the texts that ask again, and keeps the author's Markdown", () => {
    const variables = { A: `**${hostile}**` }
    const options = { retryMessageContent: "**No** {{A}}" }
    const own = bot({ variables }, group("g", ask.email(options)))
    const again = `**No** \\*\\*${escaped}\\*\\*`
    talk(own, { textFormat }).user("x").bot(again)
    talk(own)
      .user("x")
      .rich({ type: "p", children: [{ text: `**No** **${hostile}**` }] })
  })

  it("leaves values in a transcript as they are", () => {
    const variables = { A: "a_ *b", T: null }
    const flow = bot(
      { variables },
      group(
        "g",
        say("x {{A}}"),
        ask.text(),
        block("Set variable", { variableId: idOf("T"), type: "Transcript" }),
        say("{{T}}"),
        ask.text(),
      ),
    )
    expect(JSON.stringify(talk(flow, { textFormat }).user("y").turn.session)).toContain("x a_ *b")
  })
})

describe("10.3 the input", () => {
  it("is the block with its variables, and what its variable holds", () => {
    const variables = { A: "Ann {{B}}", B: "!" }
    const input = ask.text({ saves: "A", labels: { placeholder: "{{B}}" }, to: "h", id: "i" })
    const chat = talk(bot({ variables }, group("g", input), group("h")))
    expect(chat.turn.input).toEqual({
      id: "i",
      type: "text input",
      outgoingEdgeId: expect.any(String),
      options: { variableId: idOf("A"), labels: { placeholder: "!" } },
      prefilledValue: "Ann !",
    })
  })

  it("has no prefilled value from a list, and none at choices", () => {
    const list = talk(bot({ variables: { A: ["a"] } }, group("g", ask.text({ saves: "A" }))))
    const choice = talk(
      bot({ variables: { A: "a" } }, group("g", ask.choice(["a"], { saves: "A" }))),
    )
    for (const chat of [list, choice]) expect(chat.turn.input).not.toHaveProperty("prefilledValue")
  })

  it("takes its choices from a variable: a list, a list as JSON, or one text", () => {
    const chat = (L: string | string[] | null) =>
      talk(
        bot(
          { variables: { L } },
          group("g", ask.choice(["{{L}}"], { dynamicVariableId: idOf("L") })),
        ),
      )
    chat(["a", "b"]).asks("choice input", { items: [{ content: "a" }, { content: "b" }] })
    chat('["a","b"]').asks("choice input", { items: [{ content: "a" }, { content: "b" }] })
    chat("a").asks("choice input", { items: [{ id: "choice0", content: "a" }] })
    chat(null).asks("choice input", { items: [{ id: "i0", content: "{{L}}" }] })
  })

  it("takes pictures from lists that belong together", () => {
    const dynamicItems = {
      isEnabled: true,
      pictureSrcsVariableId: idOf("Src"),
      titlesVariableId: idOf("Title"),
    }
    const variables = { Src: ["https://e.com/1", "https://e.com/2"], Title: ["one"] }
    talk(bot({ variables }, group("g", ask.picture({ dynamicItems })))).asks(
      "picture choice input",
      {
        items: [
          { id: "0", pictureSrc: "https://e.com/1", title: "one", description: "" },
          { id: "1", pictureSrc: "https://e.com/2", title: "", description: "" },
        ],
      },
    )
  })

  it("multiplies a single card along a list", () => {
    const card = { id: "c", title: "{{T}}", imageUrl: "{{I}}", paths: [{ id: "p", text: "Buy" }] }
    const variables = { T: ["one", "two"], I: "https://e.com/i" }
    talk(bot({ variables }, group("g", ask.cards({ items: [card] })))).asks("cards", {
      items: [
        {
          id: "c",
          title: "one",
          imageUrl: "https://e.com/i",
          paths: [{ id: "dynamic-card-0-path-0" }],
        },
        {
          id: "c",
          title: "two",
          imageUrl: "https://e.com/i",
          paths: [{ id: "dynamic-card-1-path-0" }],
        },
      ],
    })
  })
})

describe("10.4 the retry", () => {
  it("says the block's own text, else that of the type, else that of the bot, else ours", () => {
    const settings = { general: { systemMessages: { invalidMessage: "No, {{N}}" } } }
    const variables = { N: "Ann" }
    const own = { retryMessageContent: "Really, {{N}}?" }
    const chat = (input: ReturnType<typeof ask.url>, more = {}) =>
      talk(bot({ variables, ...more }, group("g", input))).user("x y")
    chat(ask.url(own), { settings }).bot("Really, Ann?").asks("url input")
    chat(ask.email(own), { settings }).bot("Really, Ann?").asks("email input")
    chat(ask.phone(own), { settings }).bot("Really, Ann?").asks("phone number input")
    for (const retryMessageContent of [undefined, "", "{{Nobody}}"]) {
      chat(ask.email({ retryMessageContent }), { settings }).bot(
        "This does not look like an email address. Could you type it again?",
      )
    }
    chat(ask.url(), { settings }).bot("No, Ann")
    chat(ask.phone(), {}).bot(retry)
  })

  it("is the linked bot's text, else that of the started bot", () => {
    const saying = (invalidMessage?: string) => ({
      settings: { general: { systemMessages: { invalidMessage } } },
    })
    const kid = (own?: string) => bot(saying(own), group("k", set("N", '"x"'), ask.number()))
    const chat = (own?: string) =>
      talk(bot(saying("Root"), group("g", link("kid"))), { linked: { kid: kid(own) } }).user("x")
    chat("Kid {{= {{N}} + {{N}} =}}").bot("Kid xx")
    chat().bot("Root")
  })

  it("lists neither actions nor logs, and an answer without a walk does not either", () => {
    const flow = bot(group("g", ask.number()))
    const refused = respond(talk(flow).user("x").turn)
    expect(Object.keys(refused)).toEqual(["messages", "input"])
    expect(respond(talk(flow).user("1").turn)).toEqual({ messages: [] })
  })

  it("lists both, even empty, when a continued chat has walked, and neither at a start", () => {
    const flow = bot(group("g", ask.text(), say("on")))
    expect(respond(talk(flow).turn)).not.toHaveProperty("logs")
    const walked = respond(talk(flow).user("x").turn)
    expect(walked).toMatchObject({ clientSideActions: [], logs: [] })
  })
})

describe("10.5 client-side actions", () => {
  it("know the last bubble of this answer, not of earlier ones", () => {
    const script = block("Code", { content: "a()" })
    const flow = bot(group("g", say("1", { id: "t" }), script, ask.text(), script, ask.text()))
    talk(flow).does({ type: "scriptToExecute", lastBubbleBlockId: "t" }).idle()
    const second = talk(flow).user("x")
    expect(second.turn.actions).toEqual([expect.not.objectContaining({ lastBubbleBlockId: "t" })])
  })

  it("end the answer where the client must report", () => {
    const flow = bot(
      group("g", set("A", "1", { isExecutedOnClient: true }), block("Code", { content: "x" })),
    )
    talk(flow).does({ type: "setVariable", expectsDedicatedReply: true }).idle().waits()
  })
})

describe("10.8 the saved form of a reply", () => {
  it("is sent when it differs, and not with retries, skips and reports", () => {
    const flow = bot(group("g", ask.choice(["Yes"]), ask.file({ isRequired: false }), ask.number()))
    talk(flow)
      .user("i0")
      .newFormat("Yes")
      .user()
      .newFormat(undefined)
      .user("x")
      .newFormat(undefined)
      .user("1")
      .newFormat(undefined)
    talk(bot(group("g", set("A", "1", { isExecutedOnClient: true }))))
      .user("x")
      .newFormat(undefined)
  })
})

describe("10.10 logs", () => {
  const answers = { http: () => ({ status: 500, text: "secret" }) }
  const flow = bot(group("g", block("Webhook", { webhook: { url: "https://e.com" } }), ask.text()))

  it("that may hold secrets stay in a live house, and a preview shows all", () => {
    const live = talk(flow, { answers })
    expect(respond(live.turn).logs).toBeUndefined()
    expect(live.results.flatMap((record) => record.logs)).toHaveLength(1)
    const shown = respond(talk(flow, { answers, isPreview: true }).turn).logs
    expect(shown).toEqual([
      {
        status: "error",
        description: "HTTP request failed",
        details: expect.any(String),
        context: expect.stringMatching(/^Webhook block \w+ in group "\w+"$/),
      },
    ])
  })

  it("have their details cut to 1000 characters", () => {
    const long = { http: () => ({ status: 500, text: "x".repeat(5000) }) }
    const [log] = talk(flow, { answers: long }).turn.logs
    expect(log?.details).toMatch(/^.{1000}\.\.\.$/)
  })
})

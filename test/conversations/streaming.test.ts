/** Rule 10.9: answers of models that the client reads bit by bit, and embeds of services. */
import { describe, expect, it } from "vitest"
import { prepareBot } from "../../src/engine/bot.ts"
import { liveLimits } from "../../src/engine/budget/fuel.ts"
import type { EngineDeps } from "../../src/engine/turn/run.ts"
import { keepStreamed, streamAsk } from "../../src/engine/turn/stream.ts"
import { ask, block, bot, type Draft, group, idOf, say, set } from "../support/bots.ts"
import { passedOf } from "../support/expectTranscript.ts"
import { testWorld } from "../support/outside.ts"
import { talk } from "../support/talk.ts"
import type { TalkParts } from "../support/talkStage.ts"

const complete = (more: Partial<Draft> = {}) =>
  block(
    "openai",
    {
      action: "Create chat completion",
      credentialsId: "c",
      model: "gpt-4o",
      messages: [{ id: "m", role: "user", content: "Hi" }],
      responseMapping: [{ item: "Message content", variableId: idOf("Said") }],
    },
    more,
  )
const answers: TalkParts["answers"] = { model: () => ({ text: "Hello!" }) }
const streaming = (...blocks: Draft[]) =>
  talk(bot(group("g", ...blocks)), { isStreamEnabled: true, answers })
const streams = { type: "stream", stream: true, expectsDedicatedReply: true }

describe("10.9 a stream", () => {
  it("stands in for the answer when the next bubble begins with it", () => {
    const chat = streaming(say("first", { id: "t" }), complete(), say("{{Said}}"), ask.text())
    chat
      .bot("first")
      .does({ ...streams, lastBubbleBlockId: "t" })
      .idle()
      .waits()
  })

  it("is taken from the client, and the bubble that showed it is not repeated", () => {
    streaming(complete(), say("{{Said}}"), say("after"), ask.text())
      .user("Hello there")
      .knows("Said", "Hello there")
      .bot("after")
      .asks("text input")
  })

  it("11.8 counts as shown by that bubble", () => {
    const { turn } = streaming(complete(), say("{{Said}}"), say("after")).user("Hello there")
    const lines = passedOf(turn).flatMap(({ line }) => (line ? [`${line.from}: ${line.text}`] : []))
    expect(lines).toEqual(["bot: Hello there", "bot: after"])
  })

  it("that failed is taken as nothing, and the bubble is shown", () => {
    const chat = streaming(set("Said", '"old"'), complete(), say("{{Said}}"), say("after"))
    chat.waits().user().bot("old", "after").ends()
  })

  it("is none when the session did not ask for it", () => {
    talk(bot(group("g", complete(), say("{{Said}}"))), { answers })
      .bot("Hello!")
      .ends()
  })

  it("is none when something else comes next", () => {
    const others: Draft[][] = [
      [complete(), say("He said {{Said}}")],
      [complete(), say("{{Other}}"), say("{{Said}}")],
      [complete(), set("A", "1"), say("{{Said}}")],
      [complete(), ask.text()],
      [complete()],
    ]
    for (const blocks of others)
      streaming(...blocks)
        .idle()
        .knows("Said", "Hello!")
  })

  it("3.6 looks along the edge where the block ends its group", () => {
    const flow = bot(group("g", complete({ to: "h" })), group("h", say("{{Said}}"), say("after")))
    talk(flow, { isStreamEnabled: true, answers }).does(streams).user("Hello").bot("after").ends()
  })

  it("skips the bubble only once", () => {
    streaming(complete(), say("{{Said}}", { to: "g" }))
      .user("1")
      .does(streams)
      .user("2")
      .silent()
      .does(streams)
  })
})

describe("10.9 the question of a stream", () => {
  const usage = { item: "Total tokens", variableId: idOf("Tokens") }
  const flow = bot(
    { variables: { Topic: "bees" } },
    group(
      "g",
      block("openai", {
        action: "Create chat completion",
        credentialsId: "c",
        model: "gpt-4o",
        messages: [{ id: "m", role: "user", content: "On {{Topic}} {{=1 + 1=}}" }],
        responseMapping: [{ item: "Message content", variableId: idOf("Said") }, usage],
      }),
      say("{{Said}}"),
    ),
  )
  const stage: EngineDeps = {
    world: testWorld(),
    bots: new Map([["root", prepareBot(flow, "root", "rootBot")]]),
    limits: liveLimits,
  }
  const { session } = talk(flow, { isStreamEnabled: true }).turn

  it("asks for inline code first, and is filled in", () => {
    expect(streamAsk(stage, session)).toMatchObject({ inline: { kind: "script" } })
    expect(streamAsk(stage, session, [{ value: 2 }])).toMatchObject({
      question: { kind: "model", messages: [{ role: "user", content: "On bees 2" }] },
    })
  })

  it("is refused above the budget of a call, like data that comes with its answer", () => {
    const poor = { ...stage, limits: { fuel: 50 } }
    const refused = expect.objectContaining({ reason: "FLOW_TOO_EXPENSIVE" })
    expect(() => streamAsk(poor, session, [{ value: 2 }])).toThrow(refused)
    const outcome = { text: "Hello! ".repeat(1_000), usage: { total: 7 } }
    expect(() => keepStreamed(poor, session, { outcome })).toThrow(refused)
  })

  it("keeps data besides the text, and keeps waiting", () => {
    const outcome = { text: "Hello!", usage: { total: 7 } }
    const kept = keepStreamed(stage, session, { outcome, results: [{ value: 2 }] })
    expect(kept).toMatchObject({ isWaiting: true, session: { at: session.at } })
    expect(kept?.session.queue[0]?.values).toContainEqual([idOf("Tokens"), "7"])
    expect(kept?.session.queue[0]?.values).not.toContainEqual([idOf("Said"), "Hello!"])
  })

  it("keeps a failure as a log alone, and an answer without further data for its call", () => {
    const outcome = { failed: true, description: "no answer" } as const
    const kept = keepStreamed(stage, session, { outcome, results: [{ value: 2 }] })
    expect(kept?.results).toMatchObject([{ logs: [{}] }])
    expect(kept?.results[0]?.row).toBeUndefined()
    const silent = keepStreamed(stage, session, {
      outcome: { text: "Hi" },
      results: [{ value: 2 }],
    })
    expect(silent?.results).toMatchObject([{ logs: [], changes: [], step: 1 }])
  })

  it("is none where something else is waited for", () => {
    const asking = talk(bot(group("g", ask.text())))
    const bots = new Map([["root", prepareBot(bot(group("g", ask.text())), "root", "rootBot")]])
    expect(streamAsk({ ...stage, bots }, asking.turn.session)).toBeUndefined()
    const paused = bot(group("g", block("Wait", { secondsToWaitFor: "1", shouldPause: true })))
    const other = new Map([["root", prepareBot(paused, "root", "rootBot")]])
    expect(streamAsk({ ...stage, bots: other }, talk(paused).turn.session)).toBeUndefined()
    expect(streamAsk(stage, { ...session, at: undefined })).toBeUndefined()
  })
})

describe("10.1 an embed of a service", () => {
  const calendar = block("cal-com", {
    action: "Book event",
    link: "https://cal.com/ann/{{Name}}",
    saveBookedDateInVariableId: idOf("Date"),
  })

  it("is shown under a fresh id and waited for", () => {
    const chat = talk(bot({ variables: { Name: "intro" } }, group("g", calendar, say("{{Date}}"))))
    chat.shows("custom-embed", { url: "https://cal.com/ann/intro" }).waits()
    expect(chat.turn.messages[0]?.id).toMatch(/^new/)
    chat.user("2026-01-02").bot("2026-01-02").ends()
  })

  it("continues without a value when the page sends no text", () => {
    talk(bot(group("g", calendar, say("-{{Date}}"))))
      .user()
      .bot("-")
      .ends()
  })

  it("holds back the parent of a linked bot", () => {
    const kid = bot(group("k", calendar))
    talk(bot(group("g", { type: "Bot link", options: { botId: "kid" } }, say("back"))), {
      linked: { kid },
    })
      .shows("custom-embed", {})
      .waits()
      .user()
      .bot("back")
      .ends()
  })
})

describe("10.5 code of a service for the client", () => {
  it("does not hold up the chat", () => {
    const widget = block("zendesk", {
      action: "Open Web Widget",
      credentialsId: "c",
      webWidgetKey: "k",
      userId: "ann",
    })
    const jwt = { jwt: () => ({ token: "t" }) }
    talk(bot(group("g", say("Hi", { id: "t" }), widget, ask.text())), { answers: jwt })
      .bot("Hi")
      .does({ type: "codeToExecute", lastBubbleBlockId: "t" })
      .idle()
      .asks("text input")
  })
})

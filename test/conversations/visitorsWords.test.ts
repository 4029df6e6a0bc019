/** Rule 7.7: visitor input is shown as plain text, with any content. */
import { describe, expect, it } from "vitest"
import { createSession, readSession, writeSession } from "../../src/engine/session.ts"
import { reply, start } from "../../src/engine/turn/turn.ts"
import { ask, block, bot, group, idOf, link, onReply, p, say, set } from "../support/bots.ts"
import { talk } from "../support/talk.ts"
import { stageOf } from "../support/talkStage.ts"

const hostile = "[Click here](https://evil.example) ![x](https://evil.example/?d=1)"
const read = [
  {
    type: "p",
    children: [
      { type: "a", url: "https://evil.example", children: [{ text: "Click here" }] },
      { text: " " },
      { type: "a", url: "https://evil.example/?d=1", children: [{ text: "x" }] },
    ],
  },
]
const plain = [p(hostile)]

/** The displayed N after hostile visitor input and the blocks. */
function answered(...blocks: ReturnType<typeof say>[]) {
  const flow = bot(group("g", ask.text({ saves: "A" }), ...blocks, say("{{N}}")))
  return talk(flow).user(hostile)
}

describe("7.7 visitor input", () => {
  it("is plain text, answered, prefilled or remembered as either", () => {
    const shown = say("{{A}}")
    talk(bot(group("g", ask.text({ saves: "A" }), shown)))
      .user(hostile)
      .rich(...plain)
    const flow = bot({ variables: { A: null } }, group("g", shown))
    const prefilled = talk(flow, { prefilled: { A: hostile } }).rich(...plain)
    const variables = prefilled.results[0]?.row?.variables ?? []
    expect(variables).toMatchObject([{ name: "A", value: hostile, isPlain: true }])
    const remembered = { variables, answers: [], counts: { answers: 0, steps: 0 } }
    talk(flow, { remembered }).rich(...plain)
    const unmarked = variables.map(({ isPlain: _, ...variable }) => variable)
    talk(flow, { remembered: { ...remembered, variables: unmarked } }).rich(...read)
  })

  it("asks for no variable where an input offers it again", () => {
    const variables = { A: null, Token: "t0p" }
    const flow = bot({ variables }, group("g", ask.text({ saves: "A" }), ask.text({ saves: "A" })))
    const own = { prefilledValue: "{{Token}}" }
    talk(flow).user("{{Token}}").asks("text input", own)
    talk(flow, { prefilled: { A: "{{Token}}" } }).asks("text input", own)
  })

  it("is escaped in an answer in Markdown, with any beginning", () => {
    const flow = bot({ variables: { A: null } }, group("g", say("Hi {{A}}")))
    const parts = { prefilled: { A: "# [a](b) <b>" }, textFormat: "markdown" } as const
    const markdown = "Hi \\# \\[a\\]\\(b) &lt;b>"
    talk(flow, parts).shows("text", { type: "markdown", markdown })
  })

  it("stays so where an event hears it, and in linked bots and back", () => {
    const heard = group("h", say("{{Content}}"))
    talk(bot({ events: [onReply("h")] }, group("g", ask.text()), heard))
      .user(hostile)
      .rich(...plain)
    const child = bot(group("c", say("{{A}}"), ask.text({ saves: "B" }), ask.text({ saves: "N" })))
    const parent = bot(
      { variables: { N: null } },
      group(
        "g",
        ask.text({ saves: "A" }),
        link("child", { mergeResults: true }),
        say("{{N}}"),
        say("{{B}}"),
      ),
    )
    talk(parent, { linked: { child } })
      .user(hostile)
      .rich(...plain)
      .user(hostile)
      .user(hostile)
      .rich(...plain)
  })

  it.each<[string, ReturnType<typeof say>[]]>([
    ["copied", [set("N", "{{A}}")]],
    [
      "appended",
      [
        block("Set variable", { variableId: idOf("N"), type: "Append value(s)", item: "{{A}}" }),
        block("Set variable", {
          variableId: idOf("N"),
          type: "Pop",
          saveItemInVariableId: idOf("N2"),
        }),
        set("N", "{{N2}}"),
      ],
    ],
  ])("stays so when it is %s", (_how, blocks) => {
    answered(...blocks).rich(...plain)
  })

  it("makes a text plain that it is put into, and the text of an expression that fails", () => {
    answered(set("N", "Dear friend {{A}}")).rich(p(`Dear friend ${hostile}`))
    answered(set("N", "missing({{A}})")).rich(p(`missing(${hostile})`))
    answered(set("N", "the transcript", { type: "Transcript" })).rich(p(`User: "${hostile}"`))
  })

  it("is plain text in what inline code prints that mentions it", () => {
    const greeting = say('{{={{A}} || "friend"=}}')
    talk(bot({ variables: { A: null } }, group("g", greeting, ask.text({ saves: "A", to: "g" }))))
      .bot("friend")
      .user(hostile)
      .rich(...plain)
    answered(set("B", '"**x**"'), say("{{={{B}}.trim()=}}")).rich({
      type: "p",
      children: [{ text: "x", bold: true }],
    })
  })

  it("is Markdown again once code or the author has written the value", () => {
    answered(set("N", "String({{A}})")).rich(...read)
    answered(set("A", '"**x**"'), set("N", "{{A}}")).rich({
      type: "p",
      children: [{ text: "x", bold: true }],
    })
  })

  it("is not marked in sessions of former releases, which continue as they began", () => {
    const stage = stageOf(bot({ variables: { A: null } }, group("g", ask.text(), say("{{A}}"))), {})
    const root = stage.bots.get("root")
    if (!root) throw new Error("no bot")
    const { session } = start(
      stage,
      createSession({
        bot: root,
        isPreview: true,
        isStreamEnabled: false,
        prefilled: { A: hostile },
      }),
    )
    expect(session.queue[0]?.values).toEqual([[idOf("A"), hostile, 1]])
    const former = writeSession(session).replace(/,1\]\]/, "]]")
    const message = { type: "text", text: "x" } as const
    const shown = (state: string) => reply(stage, readSession(state), message).messages[0]?.content
    expect(shown(former)).toEqual({ type: "richText", richText: read })
    expect(shown(writeSession(session))).toEqual({ type: "richText", richText: plain })
  })
})

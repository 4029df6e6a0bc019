/** The worked examples of chapter 15, 1 to 18. */
import { describe, expect, it } from "vitest"
import { ask, block, bot, group, idOf, p, say, set, when } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

describe("15.1 an edge goes before the rest of the group", () => {
  const flow = (to?: string) =>
    bot(
      group(
        "g",
        ask.choice([{ id: "a", content: "Yes", to: "gA" }, "No"], to === undefined ? {} : { to }),
        say("after"),
      ),
      group("gA", say("A")),
      group("gD", say("D")),
    )

  it("takes the item's edge, else the block's, and never what follows", () => {
    talk(flow("gD")).user("Yes").bot("A").ends()
    talk(flow("gD")).user("No").bot("D").ends()
  })

  it("continues in the group when neither has an edge", () => {
    talk(flow()).user("No").bot("after").ends()
  })
})

describe("15.2 an edge in the middle of a group", () => {
  it("is taken at once by an action, and not used by a bubble unless it is the last", () => {
    const taken = group("g2", say("taken"))
    talk(bot(group("g", set("A", "1", { to: "g2" }), say("skipped")), taken))
      .bot("taken")
      .ends()
    talk(bot(group("g", say("first", { to: "g2" }), say("skipped")), taken))
      .bot("first", "skipped")
      .ends()
    talk(bot(group("g", say("first", { to: "g2" })), taken))
      .bot("first", "taken")
      .ends()
  })
})

it("15.3 a condition without edges: no match continues, a match ends the path", () => {
  const flow = (A: string) =>
    bot({ variables: { A } }, group("g", when([["A", "Equal to", "1"]]), say("next")))
  talk(flow("2")).bot("next").ends()
  talk(flow("1")).silent().ends()
})

it("15.4 a dangling edge ends the path", () => {
  const flow = bot(group("g", { ...set("A", "1"), outgoingEdgeId: "gone" }, say("x")))
  talk(flow).silent().ends()
})

describe("15.5 Set variable", () => {
  const variables = { N: "Ann", Num: "41", Zip: "01234" }
  const stored: [string, unknown][] = [
    ["42", "42"],
    ["Hello {{N}}", "Hello Ann"],
    ["{{Num}} + 1", "42"],
    ["{{Zip}} + 1", "012341"],
    ["{{N}}.toUpperCase()", "ANN"],
    ['"{{N}}"', idOf("N")],
    ["2024-01-01", "2022"],
    ["007", "007"],
    ['{"a":1}', '{"a":1}'],
    ['[{"a":1},2,null]', ['{"a":1}', "2", null]],
    ['""', undefined],
    ["undefined", undefined],
    ["C:\\dir", "C:\\dir"],
  ]
  it.each(stored)("%s is stored as %j", (expression, value) => {
    talk(bot({ variables }, group("g", set("A", expression)))).knows("A", value)
  })
})

it("15.6 copying a list", () => {
  const after = (expression: string) =>
    talk(bot({ variables: { L: ["a", "b"] } }, group("g", set("A", expression))))
  after("{{L}}").knows("A", '["a","b"]')
  after('return {{L}}.concat("z")').knows("A", ["a", "b", "z"])
  after("{{L}}.at(-1)").knows("A", "b")
})

it("15.7 text interpolation", () => {
  const variables = { N: "Ann" }
  const flow = bot({ variables }, group("g", say("Hi {{N}}!"), say("a{{X}}b"), say("{{X}}")))
  talk(flow)
    .rich(p("Hi ", "Ann", "!"))
    .rich(p("a", "b"))
    .rich()
    .ends()
})

it("15.8 Markdown in values", () => {
  const flow = bot(
    { variables: { M: "**B**\n\nline" } },
    group("g", say("{{M}}"), say("see {{M}} end")),
  )
  const bold = { text: "B", bold: true }
  const flat = [{ text: "see " }, bold, { text: "\n\n" }, { text: "line" }, { text: " end" }]
  talk(flow)
    .rich({ type: "p", children: [bold] }, p(""), p("line"))
    .rich({ type: "p", children: flat })
  talk(bot({ variables: { M: "**B**\n\nline" } }, group("g", say("see {{M}} end")))).bot(
    "see **B**\n\nline end",
  )
})

it("15.9 lists in bubbles", () => {
  const said = (version: "5" | "6.1") =>
    talk(bot({ version, variables: { L: ["a", "b"] } }, group("g", say("last: {{L}}"))))
  said("6.1").bot('last: ["a","b"]')
  said("5").bot("last: b")
  for (const version of ["5", "6.1"] as const) {
    const portable = say("last: {{={{L}}.at(-1)=}}")
    talk(bot({ version, variables: { L: ["a", "b"] } }, group("g", portable))).bot("last: b")
  }
})

it("15.10 inline code that fails prints nothing and leaves a log", () => {
  talk(
    bot(
      { variables: { L: ["a", "b"] } },
      group("g", say("-{{={{X}}.length=}}"), say("-{{={{L}}.at(0)=}}")),
    ),
  )
    .logs(/undefined/)
    .bot("-", "-a")
})

describe("15.11 single choice", () => {
  const chat = () =>
    talk(
      bot(
        group(
          "g",
          ask.choice(
            [
              { id: "a", content: "Yes" },
              { id: "b", content: "No" },
              { id: "c", content: "Maybe", value: "mb" },
            ],
            { saves: "C" },
          ),
          ask.text(),
        ),
      ),
    )

  it("matches ids, values and labels and saves the value", () => {
    chat().user(" No ").knows("C", "No").newFormat("No")
    chat().user("b").knows("C", "No")
    chat().user("Maybe").answered("mb").newFormat("mb")
  })

  it("refuses another case and positions", () => {
    for (const text of ["yes", "2"]) {
      chat().user(text).bot("That answer is not valid. Please try again.").asks("choice input")
    }
  })
})

it("15.12 multiple choice", () => {
  const items = ["Red", "Dark Red", { content: "Blue", value: "bl" }]
  const flow = bot(group("g", ask.choice(items, { isMultipleChoice: true }), say("ok")))
  const replies: [string, string][] = [
    ["1, 3", "Red, bl"],
    ["bl", "bl"],
    ["Dark Red and Red", "Red, Dark Red"],
    ["i2|i0", "Red, bl"],
  ]
  for (const [text, content] of replies) talk(flow).user(text).answered(content)
  talk(flow).user("nope").answered().bot("That answer is not valid. Please try again.")
})

describe("15.13 number", () => {
  const chat = (options: object, variables = {}) =>
    talk(bot({ variables }, group("g", ask.number(options), say("ok"))))

  it("enforces its bounds, except 0", () => {
    const bounds = { min: 0, max: 10 }
    chat(bounds).user("-3").answered("-3")
    chat(bounds).user("3,5").answered("3.5").newFormat("3.5")
    for (const text of ["11", "abc", ""]) {
      chat(bounds).user(text).bot("That answer is not valid. Please try again.")
    }
  })

  it("reads a bound from a variable", () => {
    chat({ min: "{{M}}" }, { M: "10" }).user("5").answered()
    chat({ min: "{{M}}" }, { M: "10" }).user("12").answered("12")
  })
})

it("15.14 date bounds", () => {
  const bounded = bot(group("g", ask.date({ min: "2024-01-10", max: "2024-01-20" }), say("ok")))
  talk(bounded).user("2024-01-10").answered("10/01/2024").bot("ok")
  talk(bounded).user("2024-01-20").answered("20/01/2024").bot("ok")
  talk(bounded).user("2024-01-21").answered()
  const range = bot(group("g", ask.date({ isRange: true, format: "yyyy/MM/dd" }), say("ok")))
  talk(range).user("2024-01-10 to 2024-01-12").answered("2024/01/10 to 2024/01/12")
  talk(range).user("2024-01-10").answered()
})

it("15.15 a retry says why, asks again and saves nothing", () => {
  const chat = talk(bot(group("g", ask.email({ id: "i" }), say("ok")))).user("bad")
  const text = "This does not look like an email address. Could you type it again?"
  expect(chat.turn.messages).toEqual([
    { id: "i", type: "text", content: { type: "richText", richText: [p(text)] } },
  ])
  expect(chat.turn).toMatchObject({ input: { id: "i" }, hasWalked: false, actions: [], logs: [] })
  chat.answered().newFormat(undefined)
  chat.user("A@B.co").answered("a@b.co").newFormat("a@b.co")
})

it("15.16 an optional file may be skipped, a required one not", () => {
  const flow = (options: object) => bot(group("g", ask.file(options), say("next")))
  talk(flow({ isRequired: false }))
    .user()
    .bot("next")
    .answered()
    .ends()
  talk(flow({})).user().bot("That answer is not valid. Please try again.").asks("file input")
})

it("15.17 a Set variable at the client", () => {
  const chat = () =>
    talk(
      bot(
        group(
          "g",
          say("one", { id: "t1" }),
          set("A", "location.href", { isExecutedOnClient: true }),
          say("got {{A}}"),
          ask.text(),
        ),
      ),
    ).bot("one")
  const waiting = chat().waits()
  expect(waiting.turn.actions).toEqual([
    {
      type: "setVariable",
      setVariable: { scriptToExecute: { content: "location.href", args: [], isCode: false } },
      lastBubbleBlockId: "t1",
      expectsDedicatedReply: true,
    },
  ])
  waiting.user('["x","y"]').knows("A", ["x", "y"]).bot('got ["x","y"]').asks("text input")
  chat().user().knows("A", undefined).bot("got ").asks("text input")
})

it("15.18 the order of client-side actions", () => {
  const flow = (pause: object) =>
    bot(
      { variables: { A: "12" } },
      group(
        "g",
        block("Code", { content: "hi()" }),
        say("1", { id: "t1" }),
        block("Wait", { secondsToWaitFor: "2", ...pause }),
        say("2", { id: "t2" }),
        block("Redirect", { url: "e.com/{{A}}", isNewTab: true }),
        ask.text(),
      ),
    )
  const wait = { type: "wait", wait: { secondsToWaitFor: 2 }, lastBubbleBlockId: "t1" }
  const chat = talk(flow({})).bot("1", "2").asks("text input")
  expect(chat.turn.actions).toEqual([
    { type: "scriptToExecute", scriptToExecute: { content: "hi()", args: [] } },
    wait,
    {
      type: "redirect",
      redirect: { url: "https://e.com/12", isNewTab: true },
      lastBubbleBlockId: "t2",
    },
  ])
  const paused = talk(flow({ shouldPause: true }))
    .bot("1")
    .waits()
  expect(paused.turn.actions.at(-1)).toEqual({ ...wait, expectsDedicatedReply: true })
  paused.user().bot("2").asks("text input")
})

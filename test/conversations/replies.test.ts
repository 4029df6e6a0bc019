/** Chapter 6: how replies are judged, normalised and saved. */
import { describe, it } from "vitest"
import { ask, bot, type Draft, group, idOf, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const retry = "That answer is not valid. Please try again."
const emailRetry = "This does not look like an email address. Could you type it again?"

/** The sent and the saved text; undefined: refused. */
type Case = [text: string, saved: string | undefined]

function judges(title: string, input: Draft, cases: Case[], more: { retry?: string } = {}) {
  it.each(cases)(`${title} judges %j as %j`, (text, saved) => {
    const flow = bot(group("g", { ...input, saves: "A" }, say("ok")))
    const chat = talk(flow).user(text)
    if (saved === undefined)
      chat
        .bot(more.retry ?? retry)
        .asks(input.type)
        .answered()
    else
      chat
        .answered(saved)
        .bot("ok")
        .newFormat(saved === text ? undefined : saved)
    chat.knows("A", saved === "" ? undefined : saved)
  })
}

// Which texts each type takes is in the tests of the blocks; this is what the chat makes of it.
describe("6.1 numbers", () => {
  judges("a number", ask.number(), [
    ["-2,5", "-2.5"],
    ["abc", undefined],
  ])
  judges("a number with bounds that cannot be read", ask.number({ min: "x", max: "{{U}}" }), [
    ["99", "99"],
  ])
})

describe("6.2 e-mail addresses", () => {
  const cases: Case[] = [
    ["A.B@Ex.CO", "a.b@ex.co"],
    ["a@ex", undefined],
  ]
  judges("an e-mail", ask.email(), cases, { retry: emailRetry })
})

describe("6.3 addresses", () => {
  judges("a URL", ask.url(), [
    ["https://Ex.com/a?b#c", "https://Ex.com/a?b#c"],
    ["ftp://ex.com", undefined],
  ])
})

describe("6.4 phone numbers", () => {
  judges("a phone number", ask.phone({ defaultCountryCode: "FR" }), [
    ["06 01 02 03 04", "+33601020304"],
    ["x", undefined],
  ])
})

describe("6.5 dates", () => {
  judges("a date", ask.date(), [
    ["tomorrow", "21/11/2026"],
    ["never", undefined],
  ])
  judges("a date with bounds that cannot be read", ask.date({ min: "soon", max: "{{U}}" }), [
    ["2026-03-04", "04/03/2026"],
  ])
})

describe("6.6 times", () => {
  judges("a time", ask.time(), [
    ["5pm", "17:00"],
    ["1030", undefined],
  ])
})

describe("6.7 choices", () => {
  const items = [{ content: "Red" }, { content: "Dark Red", value: "dk" }]
  judges("a choice", ask.choice(items), [
    ["Dark Red", "dk"],
    ["dk", "dk"],
    ["i0", "Red"],
    ["red", undefined],
    ["1", undefined],
    ["", undefined],
  ])
  judges("a multiple choice", ask.choice(items, { isMultipleChoice: true }), [
    ["dark red", "dk"],
    ["2, 1", "Red, dk"],
    ["RED", "Red"],
    ["Redder", undefined],
    ["3", undefined],
  ])
  const blank = [{ content: "Skip", value: " " }, { content: "Go" }]
  judges("a choice whose value is blank", ask.choice(blank), [
    [" ", " "],
    ["Skip", " "],
    ["  ", undefined],
    ["", undefined],
  ])
  judges("a multiple choice with a blank value", ask.choice(blank, { isMultipleChoice: true }), [
    [" ", " "],
    ["", undefined],
  ])
  const pictures = [
    { id: "p1", title: "Cat", value: "c", pictureSrc: "https://e.com/c.png" },
    { id: "p2", pictureSrc: "https://e.com/d.png" },
  ]
  judges("a picture choice", ask.picture({ items: pictures }), [
    ["Cat", "c"],
    ["p1", "c"],
    ["https://e.com/d.png", "https://e.com/d.png"],
    ["cat", undefined],
  ])

  it("are judged by the id that a client sends along", () => {
    talk(bot(group("g", ask.choice(items), say("ok"))))
      .user({ type: "text", text: "anything", metadata: { replyId: "i1" } })
      .answered("dk")
      .bot("ok")
  })

  it("are judged among the items as displayed", () => {
    const hidden = (value: string) => ({
      isEnabled: true,
      condition: {
        comparisons: [{ id: "1", variableId: idOf("S"), comparisonOperator: "Equal to", value }],
      },
    })
    const shown = [
      { content: "A", displayCondition: hidden("a") },
      { content: "B {{S}}", displayCondition: hidden("b") },
    ]
    const flow = bot({ variables: { S: "b" } }, group("g", ask.choice(shown), say("ok")))
    talk(flow)
      .asks("choice input", { items: [{ content: "B b" }] })
      .user("B b")
      .bot("ok")
    talk(flow).user("A").bot(retry)
  })

  it("from a variable follow the block's edge", () => {
    const dynamic = ask.choice([{ content: "static", to: "no" }], {
      dynamicVariableId: idOf("L"),
      to: "h",
    })
    const flow = bot(
      { variables: { L: ["one", "", "two", "one"] } },
      group("g", dynamic),
      group("h", say("ok")),
    )
    talk(flow)
      .asks("choice input", {
        items: [
          { id: "choice0", content: "one" },
          { id: "choice1", content: "two" },
        ],
      })
      .user("choice1")
      .bot("ok")
      .answered("two")
      .newFormat("two")
  })
})

describe("6.8 cards", () => {
  const cards = ask.cards({
    items: [
      { id: "c1", title: "Red", paths: [{ id: "p1", text: "Buy" }] },
      { id: "c2", imageUrl: "https://e.com/b.png", paths: [{ id: "p2", text: "Buy" }] },
    ],
    saveResponseMapping: [
      { field: "Button", variableId: idOf("Button") },
      { field: "Title", variableId: idOf("Title") },
    ],
  })
  judges("a card", cards, [
    ["p1", "Red"],
    [" RED ", "Red"],
    ["p2", "https://e.com/b.png"],
    ["Buy", undefined],
    ["blue", undefined],
  ])

  it("save mapped parts, and skip missing ones", () => {
    talk(bot({ variables: { Title: "old" } }, group("g", cards)))
      .user("p2")
      .knows("Button", "Buy")
      .knows("Title", "old")
  })
})

describe("6.9 files", () => {
  const [a, b] = ["https://e.com/a.png", "https://e.com/b.pdf"]
  judges("a file", ask.file(), [
    [`${a}, ${b}`, a ?? ""],
    ["no address", undefined],
    ["e.com/a.png", undefined],
  ])
  judges("several files", ask.file({ isMultipleAllowed: true }), [[`${a}, ${b}`, `${a}, ${b}`]])
  judges("pictures", ask.file({ allowedFileTypes: { isEnabled: true, types: ["image/*"] } }), [
    [a ?? "", a],
    [b ?? "", undefined],
    [`${a}, ${b}`, undefined],
  ])

  it("may be a voice clip", () => {
    talk(bot(group("g", ask.file(), say("ok"))))
      .user({ type: "audio", url: "https://e.com/a.mp3" })
      .answered("https://e.com/a.mp3")
  })
})

describe("6.11 other inputs", () => {
  judges("a text", ask.text(), [
    ["  as is ", "  as is "],
    ["", ""],
  ])
  judges("a rating", ask.rating({ length: 5 }), [
    ["5", "5"],
    ["6", undefined],
  ])

  it("need a text, except texts and files", () => {
    const inputs = [ask.number(), ask.url(), ask.phone(), ask.date(), ask.time(), ask.rating()]
    for (const input of [...inputs, ask.choice(["a"])]) {
      const flow = bot(group("g", input))
      talk(flow).user({ type: "audio", url: "https://e.com/a.mp3" }).bot(retry).asks(input.type)
      talk(flow).user().bot(retry).asks(input.type)
    }
    talk(bot(group("g", ask.text())))
      .user({ type: "audio", url: "https://e.com/a" })
      .answered("https://e.com/a")
  })

  it("are asked again without limit", () => {
    const chat = talk(bot(group("g", ask.number())))
    for (let times = 0; times < 50; times++) chat.user("x").bot(retry).asks("number input")
  })
})

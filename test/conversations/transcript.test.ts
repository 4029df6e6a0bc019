/** Rule 11.5: the transcript of a chat. */
import { expect, it } from "vitest"
import {
  ask,
  type BotParts,
  block,
  bot,
  type Draft,
  type DraftGroup,
  goBack,
  group,
  groupIdOf,
  idOf,
  jump,
  link,
  onReply,
  say,
  set,
  show,
  when,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"
import type { TalkParts } from "../support/talkStage.ts"

const transcript = block("Set variable", { variableId: idOf("T"), type: "Transcript" })

/** The transcript after these replies, live and in a preview alike. */
function after(
  replies: string[],
  { parts = {}, groups, more = {} }: { parts?: BotParts; groups: DraftGroup[]; more?: TalkParts },
) {
  const [live, preview] = [false, true].map((isPreview) => {
    const chat = talk(bot(parts, ...groups), { ...more, isPreview })
    for (const text of replies) chat.user(text)
    const values = chat.turn.session.queue[0]?.values ?? []
    return values.find(([id]) => id === idOf("T"))?.[1]
  })
  expect(preview).toEqual(live)
  return typeof live === "string" ? live.split("\n\n") : live
}

const alone = (...blocks: Draft[]) => ({ groups: [group("g", ...blocks, transcript)] })

it("11.5 is nothing when nothing was said", () => {
  expect(after([], alone(show("embed", { url: "u" })))).toBeUndefined()
})

it("11.5 has texts as Markdown, files by their name, media by their address, and no embeds", () => {
  const rich = {
    type: "text",
    content: { richText: [{ type: "p", children: [{ text: "b", bold: true }] }] },
  }
  const files = (["image", "video", "audio", "file", "embed"] as const).map((type) =>
    show(type, { url: `https://e.com/${type}` }),
  )
  expect(after([], alone(rich, ...files))).toEqual([
    'Assistant: "**b**"',
    'Assistant: "https://e.com/image"',
    'Assistant: "https://e.com/video"',
    'Assistant: "https://e.com/audio"',
    'Assistant: "file"',
  ])
})

it("11.5 shows values as they were when they were shown", () => {
  const blocks = [set("A", '"1"'), say("{{A}}"), set("A", '"2"'), say("{{A}}")]
  expect(after([], alone(...blocks))).toEqual(['Assistant: "1"', 'Assistant: "2"'])
})

it("11.5 shows prefilled values", () => {
  const more = { prefilled: { A: "x" } }
  expect(after([], { ...alone(say("{{A}}")), more })).toEqual(['Assistant: "x"'])
})

it("11.5 goes the way that choices and conditions took", () => {
  const groups = [
    group(
      "g",
      ask.choice(
        [
          { content: "Yes", to: "yes" },
          { content: "No", to: "no" },
        ],
        { saves: "C" },
      ),
    ),
    group("yes", say("yes!"), when([["C", "Equal to", "Yes"]], { to: "sure" }), say("never")),
    group("no", say("no!")),
    group("sure", say("sure"), transcript),
  ]
  expect(after(["Yes"], { groups })).toEqual([
    'User: "Yes"',
    'Assistant: "yes!"',
    'Assistant: "sure"',
  ])
})

it("11.5 goes the way of the item that was chosen among several of one value", () => {
  const items = [
    { content: "London", value: "0", to: "London" },
    { content: "Berlin", value: "0", to: "Berlin" },
  ]
  const groups = [
    group("g", ask.choice(items)),
    group("London", say("Not London"), transcript),
    group("Berlin", say("Not Berlin"), transcript),
  ]
  expect(after(["i1"], { groups })).toEqual(['User: "0"', 'Assistant: "Not Berlin"'])
})

it("11.5 follows the button of a card, and has the saved text", () => {
  const paths = [
    { id: "see", text: "See it" },
    { id: "book", text: "Book it", to: "Book" },
  ]
  const saveResponseMapping = [{ field: "Title", variableId: idOf("What") }]
  const groups = [
    group(
      "g",
      ask.cards({ items: [{ id: "c", title: "Flat", paths }], saveResponseMapping }),
      say("Here is the {{What}}"),
      transcript,
    ),
    group("Book", say("Booked the {{What}}"), transcript),
  ]
  expect(after(["book"], { groups })).toEqual(['User: "Flat"', 'Assistant: "Booked the Flat"'])
  expect(after(["see"], { groups })).toEqual(['User: "Flat"', 'Assistant: "Here is the Flat"'])
})

it("11.5 knows which button of a card was chosen, though the answer is the title of the card", () => {
  const paths = [
    { id: "see", text: "See it" },
    { id: "book", text: "Book it" },
  ]
  const saveResponseMapping = [{ field: "Button", variableId: idOf("Choice") }]
  const cards = ask.cards({ items: [{ id: "c", title: "Flat", paths }], saveResponseMapping })
  const groups = [group("g", cards, say("{{Choice}}?"), cards, say("{{Choice}}!"), transcript)]
  const told = ['User: "Flat"', 'Assistant: "Book it?"', 'User: "Flat"', 'Assistant: "See it!"']
  expect(after(["book", "see"], { groups })).toEqual(told)

  const event = group("r", say("One moment"), goBack())
  const parts = { events: [onReply("r")] }
  expect(after(["book", "see"], { parts, groups: [...groups, event] })).toEqual(
    ["book", "see"].flatMap((said, index) => [
      `User: "${said}"`,
      'Assistant: "One moment"',
      told[2 * index + 1],
    ]),
  )
})

it("11.5 follows the way that an AB test took, with any dice now", () => {
  const test = (to: Draft["to"][]) => ({
    type: "AB test",
    options: { aPercent: 50 },
    items: ["a", "b"].map((path, index) => ({ id: path, path, to: to[index] })),
  })
  const groups = [
    group("g", test(["a", "b"])),
    group("a", say("A"), transcript),
    group("b", say("B"), transcript),
  ]
  expect(after([], { groups, more: { random: 0.1 } })).toEqual(['Assistant: "A"'])
  expect(after([], { groups, more: { random: 0.9 } })).toEqual(['Assistant: "B"'])
})

it("11.5 follows jumps, returns and links to the bot itself", () => {
  const self = link("current", { groupId: groupIdOf("self") })
  const groups = [
    group("g", jump("sub"), say("back"), self, say("after"), transcript),
    group("sub", say("sub"), goBack()),
    group("self", say("self")),
  ]
  expect(after([], { groups })).toEqual(
    ["sub", "back", "self", "after"].map((text) => `Assistant: "${text}"`),
  )
})

it("11.5 shows lists as they grew by answers", () => {
  const input = ask.text({ saves: "L" })
  const parts = { variables: { L: ["a"] } }
  const groups = [group("g", input, ask.text(), say("{{L}}"), input, say("{{L}}"), transcript)]
  expect(after(["b", "x", "c"], { parts, groups })).toEqual([
    'User: "b"',
    'User: "x"',
    'Assistant: "["a","b"]"',
    'User: "c"',
    'Assistant: "["a","b","c"]"',
  ])
})

it("11.5 returns from a jump only once", () => {
  const groups = [
    group("g", jump("sub"), goBack(), say("on"), transcript),
    group("sub", say("sub"), goBack()),
  ]
  expect(after([], { groups })).toEqual(['Assistant: "sub"', 'Assistant: "on"'])
})

it("11.5 leaves out linked bots with results of their own", () => {
  const linked = { kid: bot(group("k", say("kid"), ask.text({ id: "kidInput" }))) }
  const groups = [group("g", say("before"), link("kid"), say("after"), transcript)]
  expect(after(["x"], { groups, more: { linked } })).toEqual([
    'Assistant: "before"',
    'Assistant: "after"',
  ])
})

it("11.5 follows reply events", () => {
  const groups = [
    group("g", ask.text({ saves: "A" }), say("hi {{A}}"), transcript),
    group("r", say("heard {{Content}}"), goBack()),
  ]
  expect(after(["x"], { parts: { events: [onReply("r")] }, groups })).toEqual([
    'User: "x"',
    'Assistant: "heard x"',
    'Assistant: "hi x"',
  ])
})

it("11.5 has every answer of a loop, and begins the user's line with attached files", () => {
  const attachments = { isEnabled: true, saveVariableId: idOf("Files") }
  const flow = bot(
    group(
      "g",
      ask.choice([
        { content: "Again", to: "g" },
        { content: "Stop", to: "h" },
      ]),
    ),
    group("h", ask.text({ attachments }), say("{{Files}}"), transcript, say("end")),
  )
  const chat = talk(flow).user("Again").user("Stop")
  chat.user({ type: "text", text: "see", attachedFileUrls: ["https://e.com/a", "https://e.com/b"] })
  chat.knows(
    "T",
    [
      'User: "Again"',
      'User: "Stop"',
      'User: "https://e.com/a, https://e.com/b',
      'see"',
      'Assistant: "["https://e.com/a","https://e.com/b"]"',
    ].join("\n\n"),
  )
})

it("11.5 grows over several transcripts in one chat", () => {
  const blocks = [say("1"), transcript, ask.text(), say("2")]
  expect(after(["x"], alone(...blocks))).toEqual(['Assistant: "1"', 'User: "x"', 'Assistant: "2"'])
})

it("11.5 has the value of inline code that texts were shown with", () => {
  const blocks = [set("L", 'return ["a", "b"]'), say("last: {{={{L}}.at(-1)=}}")]
  expect(after([], alone(...blocks))).toEqual(['Assistant: "last: b"'])
})

it("11.5 makes its variable one of the session", () => {
  talk(bot(group("g", say("Hi"), ask.text(), transcript, ask.text())))
    .user("x")
    .stored({})
})

it("11.5 never has the values of session variables, nor do results", () => {
  const parts = { sessionVariables: ["Pin"] }
  const groups = [
    group(
      "g",
      set("Pin", "pin one"),
      say("It is {{Pin}}."),
      say("Code: {{={{Pin}} + 1=}}."),
      show("image", { url: "{{Pin}}" }),
      ask.text(),
      say("Still {{Pin}}."),
      transcript,
    ),
  ]
  const lines = [
    'Assistant: "It is ."',
    'Assistant: "Code: ."',
    'Assistant: "…"',
    'User: "x"',
    'Assistant: "Still ."',
  ]
  expect(after(["x"], { parts, groups })).toEqual(lines)
  expect(after(["x"], { parts, groups, more: { textFormat: "markdown" } })).toEqual(lines)
  const chat = talk(bot(parts, ...groups)).bot("It is pin one.")
  expect(JSON.stringify(chat.turn.results)).not.toContain("pin")
  expect(JSON.stringify(chat.user("x").turn.results)).not.toContain("pin")
})

it("11.5 has the beginning of a long text, and the whole of an answer", () => {
  const long = "y".repeat(1_001)
  const parts = { variables: { Long: long } }
  expect(after([long], { parts, ...alone(say("{{Long}}"), ask.text()) })).toEqual([
    `Assistant: "${"y".repeat(999)}…"`,
    `User: "${long}"`,
  ])
})

it("11.5 has a merged bot's lines, and the reply to an event that never answered", () => {
  const kid = bot(group("k", say("kid"), ask.text({ id: "kidInput" }), say("bye")))
  const into = link("kid", { mergeResults: true })
  const groups = [group("g", into, ask.text(), say("never")), group("r", say("heard"), transcript)]
  const chat = { parts: { events: [onReply("r")] }, groups, more: { linked: { kid } } }
  expect(after(["x", "y"], chat)).toEqual([
    'Assistant: "kid"',
    'User: "x"',
    'Assistant: "bye"',
    'User: "y"',
    'Assistant: "heard"',
  ])
})

it("11.5 ends at the block that asks for it in a link to the bot itself", () => {
  const self = link("current", { groupId: groupIdOf("self") })
  const main = group("g", say("one"), self, say("later"), ask.text())
  const chat = talk(bot(main, group("self", say("two"), transcript, say("later"))))
  chat.knows("T", 'Assistant: "one"\n\nAssistant: "two"')
})

it("11.5 passes a block that a linked bot shares with the bot that links it", () => {
  const linked = { kid: bot(group("k", transcript, ask.text({ id: "kidInput" }))) }
  const root = bot(group("g", say("one"), transcript, say("two"), link("kid")))
  talk(root, { linked }).knows("T", 'Assistant: "one"\n\nAssistant: "two"')
})

it("7.9 a transcript stays out of the result in linked bots and back, with any ids", () => {
  const withId = (flow: ReturnType<typeof bot>, id: string) =>
    JSON.parse(JSON.stringify(flow).replaceAll(`"${idOf("T")}"`, `"${id}"`))
  const into = link("kid", { mergeResults: true })
  const makes = withId(bot(group("k", transcript)), "other")
  const back = bot(
    { variables: { T: null } },
    group("g", say("Hi"), into, say("{{T}}"), ask.text()),
  )
  talk(back, { linked: { kid: makes } })
    .bot("Hi", 'Assistant: "Hi"')
    .asks("text input")
    .stored({})
  const shows = withId(bot(group("k", say("{{T}}"), ask.text())), "other")
  const there = talk(bot(group("g", say("Hi"), transcript, link("kid"))), {
    linked: { kid: shows },
  })
  there.bot("Hi", 'Assistant: "Hi"')
  expect(there.results.flatMap(({ row }) => row?.variables ?? [])).toEqual([])
})

/** The worked examples of chapter 15, 19 to 30. */
import { describe, expect, it } from "vitest"
import {
  ask,
  block,
  bot,
  goBack,
  group,
  idOf,
  jump,
  link,
  onCommand,
  onReply,
  say,
  set,
  show,
  when,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const emailRetry = "This does not look like an email address. Could you type it again?"
const progressBar = { general: { progressBar: { isEnabled: true } } }

describe("15.19 a bot link", () => {
  const child = bot(
    { variables: { Own: "d" } },
    group("c", say("child {{Name}} {{Own}}"), ask.text({ saves: "Ans" }), set("New", '"fresh"')),
  )
  const chat = (options: object) => {
    const parent = bot(
      { variables: { Ans: null } },
      group(
        "g",
        ask.text({ saves: "Name" }),
        link("kid", { ...options }),
        say("back ans={{Ans}} new={{New}}"),
      ),
    )
    return talk(parent, { linked: { kid: child } })
      .user("Ann")
      .bot("child Ann ")
      .user("hi")
  }

  it("merges variables and answers into one result with mergeResults", () => {
    chat({ mergeResults: true })
      .bot("back ans=hi new=fresh")
      .answered("Ann", "hi")
      .stored({ Name: "Ann", Ans: "hi", New: "fresh" }, { hasStarted: true, isCompleted: true })
      .ends()
  })

  it("otherwise keeps two results apart", () => {
    const done = chat({}).bot("back ans= new=").answered("Ann").ends()
    done.stored({ Name: "Ann" }, { isCompleted: true })
    const [own] = done.results.filter((each) => each.version === "version of kid").slice(-1)
    expect(own).toMatchObject({
      answers: [{ content: "hi" }],
      row: { hasStarted: true, isCompleted: true },
    })
    expect(own?.row?.variables).toMatchObject([
      { name: "Name", value: "Ann" },
      { name: "Ans", value: "hi" },
      { name: "New", value: "fresh" },
    ])
  })
})

it("15.20 Jump and Return", () => {
  const sub = group("g2", say("sub"), goBack(), say("never"))
  talk(bot(group("g", jump("g2"), say("back"), ask.text()), sub))
    .bot("sub", "back")
    .asks("text input")
  talk(bot(group("g", goBack(), say("t"))))
    .bot("t")
    .ends()
  const lost = talk(bot(group("g", block("Jump", { groupId: "nowhere" }), say("t")))).ends()
  expect(lost.turn.logs).toHaveLength(1)
})

describe("15.21 the reply event", () => {
  const heard = group("gr", say("heard {{Content}} {{Type}} {{Name}}"), goBack())
  const asked = group("Ask", say("?"), ask.email({ saves: "E", id: "i" }), say("thanks {{E}}"))

  it("runs before the reply is judged, valid or not", () => {
    const chat = talk(bot({ events: [onReply("gr")] }, asked, heard)).bot("?")
    chat.user("bad").bot("heard bad email Ask", emailRetry).asks("email input", { id: "i" })
    chat.user("A@B.co").bot("heard A@B.co email Ask", "thanks a@b.co").newFormat("a@b.co").ends()
  })

  it("for invalid replies replaces the retry", () => {
    talk(bot({ events: [onReply("gr", "invalidReply")] }, asked, heard))
      .user("bad")
      .bot("heard bad email Ask")
      .asks("email input", { id: "i" })
  })
})

it("15.22 commands", () => {
  const chat = (blocks: ReturnType<typeof goBack>[], options = {}) =>
    talk(
      bot(
        { events: [onCommand("help", "h", options)] },
        group("g", ask.text({ id: "i" })),
        group("h", say("Help!"), ...blocks),
      ),
    )
  chat([goBack()]).commands("help").bot("Help!").asks("text input", { id: "i" })
  chat([], { resumeAfter: true }).commands("help").bot("Help!").asks("text input", { id: "i" })
  chat([]).commands("help").bot("Help!").ends()
  expect(() => chat([]).commands("other")).toThrow(expect.objectContaining({ code: "BAD_REQUEST" }))
})

it("15.23 a session after its end", () => {
  talk(bot(group("g", ask.text(), say("bye"))))
    .user("a")
    .bot("bye")
    .ends()
  talk(bot(group("g", say("only"))))
    .bot("only")
    .ends()
    .user("again")
    .bot("only")
    .ends()
  const preview = talk(bot(group("g", ask.text({ saves: "A" }), say("bye"))), { isPreview: true })
  preview.user("a").bot("bye").ends().user("b").knows("A", "b").bot("bye").ends()
})

it("15.24 progress", () => {
  const flow = bot(
    { theme: progressBar },
    group(
      "c",
      ask.choice([
        { content: "A", to: "a" },
        { content: "B", to: "b" },
      ]),
    ),
    group("a", ask.text(), ask.text(), ask.text()),
    group("b", ask.text()),
  )
  const at = (chat: ReturnType<typeof talk>) => Math.round((chat.turn.progress ?? -1) * 100) / 100
  const first = talk(flow)
  expect(at(first)).toBe(16.67)
  expect(at(first.user("B"))).toBe(66.67)
  expect(at(first.user("x"))).toBe(100)
  const second = talk(flow).user("A")
  expect([at(second), at(second.user("x"))]).toEqual([40, 60])
  const single = talk(bot({ theme: progressBar }, group("g", ask.text())))
  expect([at(single), at(single.user("x"))]).toEqual([50, 100])
})

it("15.25 remembered and prefilled variables", () => {
  const flow = bot({ variables: { A: "dflt", L: null } }, group("g", ask.text()))
  talk(flow, { prefilled: { A: "URL", L: ["x", 1], Nope: "z" } })
    .knows("A", "URL")
    .knows("L", ["x", "1"])
  const remembered = {
    variables: [{ id: "other", name: "A", value: "Typed" }],
    answers: [],
    counts: { answers: 1, steps: 2 },
  }
  talk(flow, { remembered }).knows("A", "dflt")
  talk(bot({ variables: { A: null } }, group("g", ask.text())), { remembered }).knows("A", "Typed")
})

it("15.26 registering only", () => {
  const register = { isOnlyRegistering: true }
  const talks = [ask.text({ saves: "A" }), say("hey {{A}}"), ask.text({ id: "i2" })]
  const chat = talk(bot(group("g", ...talks)), register).silent()
  expect(chat.turn).toMatchObject({ hasWalked: false, results: [] })
  chat.user("Ann").bot("hey Ann").asks("text input", { id: "i2" }).answered("Ann")
  talk(bot(group("g", say("Hi"), ...talks)), register)
    .user("Ann")
    .bot("Hi")
    .asks("text input")
    .answered()
})

it("15.27 the body and the query of a request", () => {
  const variables = { A: 'q"1', L: ["a", "b"] }
  const chat = (options: object, webhook: object) =>
    talk(
      bot(
        { variables },
        group("g", block("Webhook", { ...options, webhook: { url: "https://e.com", ...webhook } })),
      ),
    )
  const own = { isCustomBody: true }
  chat(own, { body: '{"n":"{{A}}","l":{{L}}}' }).calls("http", {
    request: { body: { text: JSON.stringify({ n: 'q"1', l: ["a", "b"] }) } },
  })
  const submittedAt = "2026-11-20T10:00:00.000Z"
  chat({}, {}).calls("http", {
    request: { body: { text: JSON.stringify({ submittedAt, A: 'q"1', L: "a,b" }) } },
  })
  const queryParams = ["a b", "c"].map((value, id) => ({ id: `${id}`, key: "q", value }))
  chat({}, { method: "GET", queryParams }).calls("http", {
    request: { url: "https://e.com?q=a%20b&q=c" },
  })
})

describe("15.28 conditions", () => {
  const unset = undefined
  const judged: [unknown, string, string | undefined, boolean][] = [
    [unset, "Equal to", "", false],
    [unset, "Equal to", "undefined", true],
    [unset, "Not equal", "", true],
    [[], "Equal to", "x", true],
    [["x", "y"], "Equal to", "x", false],
    [["xx"], "Contains", "x", false],
    ["Hello World", "Contains", " world ", true],
    ["abc", "Greater than", "2", true],
    [["a", "b"], "Greater than", "1", true],
    [unset, "Does not match regex", "/^x/", false],
    ["1,000", "Greater than", "500", false],
  ]
  it.each(judged)("%j %s %j is %s", (value, operator, other, holds) => {
    const variables = { A: (value ?? null) as string | string[] | null }
    const flow = bot(
      { variables },
      group("g", when([["A", operator, other]], { to: "yes", otherwise: "no" })),
      group("yes", say("true")),
      group("no", say("false")),
    )
    talk(flow).bot(String(holds)).ends()
  })
})

it("15.29 the flags of a result", () => {
  const flow = bot(
    { variables: { Kept: "k", Secret: "s" }, sessionVariables: ["Secret"] },
    group("g", ask.text(), ask.text()),
  )
  const chat = talk(flow).stored({ Kept: "k" }, { hasStarted: false, isCompleted: false })
  chat.user("a").stored({ Kept: "k" }, { hasStarted: true, isCompleted: false })
  chat.user("b").stored({ Kept: "k" }, { hasStarted: true, isCompleted: true })
})

it("15.30 the transcript", () => {
  const flow = bot(
    group(
      "g",
      say("Hi {{N}}"),
      ask.text({ saves: "N" }),
      say("You said {{N}}"),
      show("image", { url: "u" }),
      ask.text(),
      block("Set variable", { variableId: idOf("T"), type: "Transcript" }),
    ),
  )
  const lines = ['Assistant: "Hi "', 'User: "Ann"', 'Assistant: "You said Ann"', 'Assistant: "u"']
  talk(flow)
    .user("Ann")
    .user("second")
    .knows("T", [...lines, 'User: "second"'].join("\n\n"))
    .stored({ N: "Ann" })
})

/** Rules 11.1 to 11.4: results, answers and records for traces. */
import { describe, expect, it } from "vitest"
import {
  ask,
  block,
  bot,
  type Draft,
  group,
  idOf,
  link,
  say,
  set,
  show,
  when,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

describe("11.1 the row of a result", () => {
  it("is written by the start, and none while only registering", () => {
    talk(bot(group("g", ask.text()))).stored({}, { hasStarted: false, isCompleted: false })
    expect(talk(bot(group("g", ask.text())), { isOnlyRegistering: true }).results).toEqual([])
  })

  it("never completes without an answer", () => {
    talk(bot(group("g", say("Hi"))))
      .bot("Hi")
      .ends()
      .stored({}, { hasStarted: false, isCompleted: false })
    const skipped = talk(bot(group("g", ask.file({ isRequired: false }))))
      .user()
      .ends()
    skipped.stored({}, { hasStarted: false, isCompleted: false })
  })

  it("is not complete while a page or the client is waited for", () => {
    const page = show("embed", { url: "u", waitForEvent: { isEnabled: true } })
    const flow = bot(group("g", ask.text(), page, set("A", "1", { isExecutedOnClient: true })))
    const chat = talk(flow).user("x").shows("embed", {}).waits()
    chat.stored({}, { isCompleted: false })
    chat.user().waits().stored({}, { isCompleted: false })
    chat.user("1").ends().stored({ A: "1" }, { isCompleted: true })
  })

  it("holds every value that is set, except those of session variables", () => {
    const flow = bot(
      { variables: { Set: "s", Unset: null, Secret: "x" }, sessionVariables: ["Secret"] },
      group("g", ask.text()),
    )
    talk(flow).stored({ Set: "s" })
  })

  it("does not change after a refused reply, which only its transcript has", () => {
    const chat = talk(bot(group("g", ask.number({ saves: "N" }))))
    const { row } = chat.results.at(-1) ?? {}
    const after = chat.user("x").results.at(-1)
    expect(after).toMatchObject({ answers: [], row: { variables: row?.variables } })
    expect(after?.shown?.parts).toContainEqual(expect.objectContaining({ t: "x" }))
  })

  it("takes the logs of each call", () => {
    const chat = talk(bot(group("g", ask.text(), { type: "hologram" }, ask.text()))).user("x")
    expect(chat.results.at(-1)?.logs).toHaveLength(1)
  })

  it("numbers answers and steps on from those of a remembered result", () => {
    const remembered = { variables: [], answers: [], counts: { answers: 3, steps: 2 } }
    const chat = talk(bot(group("g", ask.text())), { remembered }).user("x")
    expect(
      chat.results.map(({ step, answers }) => [step, answers.map(({ index }) => index)]),
    ).toEqual([
      [2, []],
      [3, [3]],
    ])
  })
})

describe("11.2 answers", () => {
  it("are one row per reply, also when a block is answered again", () => {
    const chat = talk(bot(group("g", ask.text({ id: "i", to: "g" }))))
      .user("a")
      .user("b")
    chat.answered("a", "b")
    const answers = chat.results.flatMap((record) => record.answers)
    expect(answers.map(({ index, blockId }) => [index, blockId])).toEqual([
      [0, "i"],
      [1, "i"],
    ])
  })

  it("carry the addresses of attached files", () => {
    const chat = talk(bot(group("g", ask.text())))
    chat.user({ type: "text", text: "see", attachedFileUrls: ["https://e.com/a"] })
    expect(chat.results.at(-1)?.answers).toEqual([
      expect.objectContaining({ content: "see", attachedFileUrls: ["https://e.com/a"] }),
    ])
  })
})

describe("11.3 the answers of a session", () => {
  const answersOf = (...inputs: Draft[]) => {
    const chat = talk(bot(group("Ask", ...inputs)))
    for (const input of inputs) chat.user(`${input.type}`)
    return chat.turn.session.queue[0]?.answers
  }

  it("are known by their variable, else by the group, numbered from its second input on", () => {
    expect(answersOf(ask.text(), ask.text({ saves: "A" }), ask.text())).toEqual([
      ["Ask", "text input"],
      ["A", "text input"],
      ["Ask (2)", "text input"],
    ])
  })

  it("are known by the block where the group has no title", () => {
    const flow = bot(group("", ask.text({ id: "i" })))
    expect(talk(flow).user("x").turn.session.queue[0]?.answers).toEqual([["i", "x"]])
  })

  it("replace an earlier one of the same key", () => {
    const chat = talk(bot(group("g", ask.text({ saves: "A" }), ask.text({ saves: "B", to: "g" }))))
    chat.user("1").user("2").user("3")
    expect(chat.turn.session.queue[0]?.answers).toEqual([
      ["B", "2"],
      ["A", "3"],
    ])
  })

  it("go into the answers object, under the values of variables", () => {
    const request = block("Webhook", { webhook: { url: "https://e.com" } })
    const flow = bot(
      { variables: { A: null } },
      group("Ask", ask.text(), ask.text({ saves: "A" }), set("A", '"new"'), request),
    )
    const submittedAt = "2026-11-20T10:00:00.000Z"
    const text = JSON.stringify({ submittedAt, Ask: "x", A: "new" })
    talk(flow)
      .user("x")
      .user("y")
      .calls("http", { request: { body: { text } } })
  })
})

describe("11.4 records for traces", () => {
  const changesOf = (...blocks: Draft[]) =>
    talk(bot(group("g", ...blocks))).results.flatMap((record) => record.changes)

  it("are changes of variables that texts, pictures and conditions mention", () => {
    const seen = ["Text", "Link", "Cond", "Value", "Inline"]
    const sets = [...seen, "Unseen"].map((name) => set(name, '"x"', { id: `set${name}` }))
    const changes = changesOf(
      ...sets,
      say("{{Text}} {{={{Inline}}=}}"),
      show("image", { url: "{{Link}}" }),
      when([["Cond", "Equal to", "{{Value}}"]]),
    )
    expect(changes.map(({ variableId }) => variableId)).toEqual(seen.map(idOf))
    expect(changes.map(({ blockId }) => blockId)).toEqual(seen.map((name) => `set${name}`))
  })

  it("are parts of a chosen card, but no attached files, which follow from the answer", () => {
    const cards = ask.cards({
      items: [{ id: "c", title: "Flat", paths: [{ id: "see" }, { id: "book", text: "Book it" }] }],
      saveResponseMapping: [{ field: "Button", variableId: idOf("Choice") }],
    })
    const attachments = { isEnabled: true, saveVariableId: idOf("Files") }
    const flow = bot(group("g", cards, ask.text({ attachments }), say("{{Choice}} {{Files}}")))
    const attachedFileUrls = ["https://e.com/a"]
    const { results } = talk(flow)
      .user("book")
      .user({ type: "text", text: "see", attachedFileUrls })
    expect(results.flatMap((record) => record.changes)).toMatchObject([
      { variableId: idOf("Choice"), value: "Book it" },
    ])
  })

  it("are prefilled values, under the first block", () => {
    const flow = bot(
      { variables: { A: null } },
      group("g", say("{{A}}", { id: "first" }), ask.text()),
    )
    expect(talk(flow, { prefilled: { A: "x" } }).results[0]?.changes).toEqual([
      { blockId: "first", variableId: idOf("A"), value: "x" },
    ])
  })

  it("are those of a linked bot with its own result", () => {
    const kid = bot(group("k", set("A", '"x"'), say("{{A}}"), ask.text()))
    const [parent, child] = talk(bot(group("g", link("kid"))), { linked: { kid } }).results
    expect([parent?.changes.length, child?.changes.length]).toEqual([0, 1])
  })
})

/** Accents as separate characters: typed texts still match those of authors. */
import { describe, expect, it } from "vitest"
import { ask, bot, type Draft, group, say, when } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const composed = "Zoë"
const apart = composed.normalize("NFD")

const questions: Record<string, (label: string) => Draft> = {
  "a choice": (label) => ask.choice([label, "Ann"], { saves: "N" }),
  "a choice of several": (label) =>
    ask.choice([label, "Ann"], { saves: "N", isMultipleChoice: true }),
  "the value of a choice": (label) =>
    ask.choice([{ content: "Her", value: label }, "Ann"], { saves: "N" }),
  "a picture": (label) => ask.picture({ items: [{ id: "p", title: label }], saves: "N" }),
  "several pictures": (label) =>
    ask.picture({ items: [{ id: "p", title: label }], saves: "N", isMultipleChoice: true }),
  "the title of a card": (label) =>
    ask.cards({ items: [{ id: "c", title: label, paths: [{ id: "p", text: "Take" }] }] }),
}

describe.each([
  ["typed apart", composed, apart],
  ["written apart", apart, composed],
])("an accent %s", (_how, written, typed) => {
  it.each(Object.entries(questions))("chooses %s", (_what, question) => {
    talk(bot(group("g", question(written), say("yes"))))
      .user(typed)
      .bot("yes")
      .ends()
  })

  it("is found in the words around it", () => {
    const question = ask.choice([written, "Ann"], { isMultipleChoice: true, saves: "N" })
    talk(bot(group("g", question, say("{{N}}"))))
      .user(`I like ${typed}!`)
      .bot(written)
      .ends()
  })

  it.each(["Equal to", "Contains", "Starts with", "Ends with"])("passes `%s`", (operator) => {
    const condition = when([["T", operator, written]], { to: "h" })
    talk(bot(group("g", ask.text({ saves: "T" }), condition), group("h", say("yes"))))
      .user(typed)
      .bot("yes")
      .ends()
  })

  it("names a prefilled variable", () => {
    const flow = bot({ variables: { [written]: null } }, group("g", say(`{{${written}}}`)))
    talk(flow, { prefilled: { [typed]: "x" } })
      .bot("x")
      .ends()
  })
})

it("stays as typed", () => {
  const chat = talk(bot(group("g", ask.text({ saves: "T" }))))
    .user(apart)
    .ends()
  expect(chat.results.flatMap(({ answers }) => answers)).toMatchObject([{ content: apart }])
})

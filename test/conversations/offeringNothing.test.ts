/** Rule 10.3: a question that offers nothing is not asked. */
import { expect, it } from "vitest"
import { ask, bot, type Draft, group, idOf, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

it.each<[string, Draft]>([
  ["a choice without items", ask.choice([])],
  ["a choice whose items have no labels", ask.choice(["", { content: " ", value: "v" }, {}])],
  [
    "a choice among the elements of an empty list",
    ask.choice([], { dynamicVariableId: idOf("L") }),
  ],
  ["a choice among those of an unset variable", ask.choice([""], { dynamicVariableId: idOf("U") })],
  [
    "pictures without titles and addresses",
    ask.picture({ items: [{ id: "p", description: "d" }] }),
  ],
  ["cards without titles and pictures", ask.cards({ items: [{ id: "c", description: "d" }] })],
])("10.3 passes %s", (_what, question) => {
  const flow = bot(
    { variables: { L: [], U: null } },
    group("g", say("a"), question, say("b"), ask.text({ saves: "T" }), say("c")),
  )
  const chat = talk(flow).bot("a", "b").asks("text input").user("x").bot("c").ends()
  expect(chat.results.flatMap(({ answers }) => answers)).toHaveLength(1)
})

it("10.3 follows the block's own edge past a question that offers nothing", () => {
  const question = { ...ask.choice([""]), to: "h" }
  talk(bot(group("g", question, say("no")), group("h", say("b"))))
    .bot("b")
    .ends()
})

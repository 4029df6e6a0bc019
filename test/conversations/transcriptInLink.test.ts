/** Rule 11.5: the transcript of a chat, asked for by a linked bot. */
import { it } from "vitest"
import { ask, block, bot, group, groupIdOf, idOf, link, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const transcript = block("Set variable", { variableId: idOf("T"), type: "Transcript" })

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

/** Rule 6.10: variables that receive an accepted reply. */
import { describe, it } from "vitest"
import { ask, bot, group, idOf, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

describe("6.10 an accepted reply", () => {
  it("a list grows by it", () => {
    const flow = bot({ variables: { A: ["1"] } }, group("g", ask.text({ saves: "A" }), ask.text()))
    talk(flow).user("2").knows("A", ["1", "2"])
  })

  it("attached files are saved beside it: one as a text, several as a list", () => {
    const attachments = { isEnabled: true, saveVariableId: idOf("F") }
    const flow = bot(group("g", ask.text({ attachments, saves: "A" }), ask.text()))
    const send = (...attachedFileUrls: string[]) =>
      talk(flow).user({ type: "text", text: "see", attachedFileUrls })
    send("https://e.com/1").knows("F", "https://e.com/1").knows("A", "see")
    const two = send("https://e.com/1", "https://e.com/2")
    two.knows("F", ["https://e.com/1", "https://e.com/2"])
    two.turns({
      session: { queue: [{ answers: [["A", "https://e.com/1, https://e.com/2\n\nsee"]] }] },
    })
  })

  it("a voice clip is saved on its own and leaves the linked variable alone", () => {
    const audioClip = { isEnabled: true, saveVariableId: idOf("Clip") }
    const flow = bot(
      { variables: { A: "old" } },
      group("g", ask.text({ audioClip, saves: "A" }), ask.text()),
    )
    talk(flow)
      .user({ type: "audio", url: "https://e.com/a" })
      .knows("Clip", "https://e.com/a")
      .knows("A", "old")
  })

  it("none of it is history of a variable", () => {
    const chat = talk(bot(group("g", ask.text({ saves: "A" }), say("{{A}}"))))
      .user("x")
      .bot("x")
    chat.turns({ results: [{ changes: [] }] })
  })
})

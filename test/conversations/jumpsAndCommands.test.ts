/** Rules 5.1 to 5.3: jumps, returns and commands. */
import { describe, expect, it } from "vitest"
import { ask, block, bot, goBack, group, jump, link, onCommand, say, set } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const refused = expect.objectContaining({ code: "BAD_REQUEST" })

describe("5.1 virtual edges", () => {
  it("of a jump and of a return are recorded as visited", () => {
    const flow = bot(group("g", jump("h"), say("back", { id: "b" })), group("h", goBack()))
    talk(flow).bot("back").visited("virtual-gh", "virtual-gg-b")
  })
})

describe("5.2 Jump and Return", () => {
  it("jumps to a block within a group", () => {
    talk(bot(group("g", jump("h", "second")), group("h", say("1"), say("2", { id: "second" }))))
      .bot("2")
      .ends()
  })

  it("jumps to the group whose title a variable holds", () => {
    const flow = (Title: string) =>
      bot(
        { variables: { Title } },
        group("g", block("Jump", { groupId: "{{Title}}" })),
        group("Help", say("here")),
      )
    talk(flow("Help")).bot("here").ends()
    talk(flow("help")).logs("The jump leads nowhere").ends()
  })

  it("continues in the group without a target", () => {
    talk(bot(group("g", block("Jump"), say("on"))))
      .bot("on")
      .ends()
  })

  it("ends the path with a log where the group or the block is unknown", () => {
    for (const to of [block("Jump", { groupId: "?" }), jump("h", "?")]) {
      talk(bot(group("g", to, say("no")), group("h", say("no"))))
        .logs("The jump leads nowhere")
        .ends()
    }
  })

  it("returns to the block after the jump, wherever its edge leads", () => {
    const flow = bot(
      group("g", { ...jump("h"), to: "next" }),
      group("h", say("sub"), goBack()),
      group("next", say("back")),
    )
    talk(flow).bot("sub", "back").ends()
  })

  it("remembers across calls where to return to", () => {
    talk(bot(group("g", jump("h"), say("back")), group("h", ask.text(), goBack())))
      .asks("text input")
      .user("x")
      .bot("back")
      .ends()
  })

  it("returns to the last jump only, once", () => {
    const flow = bot(
      group("g", jump("h"), say("never")),
      group("h", jump("i"), say("once"), goBack(), say("passed")),
      group("i", goBack()),
    )
    talk(flow).bot("once", "passed").ends()
  })

  it("ends the path where the jump has no successor, at the next Return too", () => {
    talk(bot(group("g", jump("h")), group("h", goBack(), say("on"))))
      .bot("on")
      .ends()
  })
})

describe("5.3 commands", () => {
  const help = group("h", say("Help!"))

  it("are matched exactly and refused when unknown or unconnected", () => {
    const flow = bot(
      { events: [onCommand("help", "h"), onCommand("lost", undefined)] },
      group("g", ask.text()),
      help,
    )
    for (const command of ["Help", "help ", "lost", ""]) {
      expect(() => talk(flow).commands(command)).toThrow(refused)
    }
    expect(() => talk({ ...flow, edges: flow.edges.slice(0, 1) }).commands("help")).toThrow(refused)
  })

  it("begin at the block that the event's edge names", () => {
    const flow = bot(
      { events: [onCommand("help", "h#second")] },
      group("g", ask.text()),
      group("h", say("1"), say("2", { id: "second" })),
    )
    talk(flow).commands("help").bot("2").ends()
  })

  it("come back to the waiting input after an input of their own", () => {
    const flow = bot(
      { events: [onCommand("help", "h", { resumeAfter: true })] },
      group("g", ask.text({ id: "i", saves: "A" }), say("-{{A}}")),
      group("h", ask.email(), say("Noted")),
    )
    talk(flow)
      .commands("help")
      .asks("email input")
      .user("a@b.co")
      .bot("Noted")
      .asks("text input", { id: "i" })
      .user("x")
      .bot("-x")
      .ends()
  })

  it("that resume return to the waiting input, though a jump led there, which leads back later", () => {
    const flow = bot(
      { events: [onCommand("help", "h", { resumeAfter: true })] },
      group("g", jump("sub"), say("back")),
      group("sub", ask.text({ id: "i" }), goBack()),
      group("h", say("Help!"), goBack()),
    )
    talk(flow)
      .commands("help")
      .bot("Help!")
      .asks("text input", { id: "i" })
      .user("x")
      .bot("back")
      .ends()
  })

  it("4.2 may interrupt a block that waits for the client", () => {
    const wait = block("Wait", { secondsToWaitFor: "1", shouldPause: true }, { id: "w" })
    const flow = bot(
      { events: [onCommand("help", "h", { resumeAfter: true })] },
      group("g", wait, say("on")),
      help,
    )
    talk(flow)
      .commands("help")
      .bot("Help!")
      .does({ type: "wait", expectsDedicatedReply: true })
      .waits()
      .user()
      .bot("on")
      .ends()
  })

  it("of a linked bot return to its waiting input, not to the parent", () => {
    const kid = (blocks: ReturnType<typeof say>[], options: object) =>
      bot(
        { events: [onCommand("help", "h", options)] },
        group("k", ask.text({ id: "i" })),
        group("h", ...blocks),
      )
    const chat = (blocks: ReturnType<typeof say>[], options = {}) =>
      talk(bot(group("g", link("kid"), say("back"))), { linked: { kid: kid(blocks, options) } })
        .commands("help")
        .bot("Help!")
        .asks("text input", { id: "i" })
        .user("x")
        .bot("back")
        .ends()
    chat([say("Help!")], { resumeAfter: true })
    chat([say("Help!"), goBack()])
  })

  it("of the parent are unknown while a linked bot runs", () => {
    const flow = bot({ events: [onCommand("help", "h")] }, group("g", link("kid")), help)
    const chat = talk(flow, { linked: { kid: bot(group("k", ask.text())) } })
    expect(() => chat.commands("help")).toThrow(refused)
  })

  it("save nothing and leave no answer", () => {
    const flow = bot(
      { events: [onCommand("help", "h")] },
      group("g", ask.text({ saves: "A" })),
      group("h", set("B", "1"), goBack()),
    )
    talk(flow).commands("help").asks("text input").answered().stored({ B: "1" })
  })
})

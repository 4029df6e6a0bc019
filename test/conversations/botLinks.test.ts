/** Rule 5.5: linked bots. */
import { describe, expect, it } from "vitest"
import { toLatest } from "../../src/authoring/upgrade/latest.ts"
import {
  ask,
  block,
  bot,
  type Draft,
  goBack,
  group,
  groupIdOf,
  idOf,
  jump,
  link,
  onCommand,
  say,
  set,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const failed = "Failed to link to the bot"

describe("5.5 entering a linked bot", () => {
  const kid = bot(group("first", say("first")), group("second", say("one"), say("two")))
  const linking = (options: object, id = "kid") =>
    talk(
      bot({ variables: { Title: "second" } }, group("g", link(id, { ...options }), say("back"))),
      {
        linked: { kid },
      },
    )

  it("begins at its start, or at the group that is named by id or by title", () => {
    linking({}).bot("first", "back").ends()
    linking({ groupId: groupIdOf("second") })
      .bot("one", "two", "back")
      .ends()
    linking({ groupId: "{{Title}}" }).bot("one", "two", "back").ends()
  })

  it("continues without the link when its target is missing", () => {
    linking({}, "unknown").bot("back").logs(failed).ends()
    linking({}, "").bot("back").logs(failed).ends()
    linking({ groupId: "?" }).bot("back").logs(failed).ends()
    linking({ groupId: "{{Nothing}}" }).bot("back").logs(failed).ends()
    const empty = { ...kid, edges: [] }
    talk(bot(group("g", link("kid"), say("back"))), { linked: { kid: empty } })
      .bot("back")
      .logs(failed)
      .ends()
  })

  it("begins at the start where the group of the start block is named, which a conversion removes", () => {
    linking({ groupId: "start" }).bot("first", "back").ends()
  })

  it("begins in an older bot with the group that holds its start block", () => {
    const old = bot({ version: "5" }, group("a", say("old")), group("b", say("no")))
    talk(bot(group("g", link("old"), say("back"))), { linked: { old } })
      .bot("old", "back")
      .ends()
  })

  it("goes back from an older bot at an empty group, which a conversion removes with its edges", () => {
    const old = bot({ version: "5" }, group("a", say("old", { to: "b" })), group("b"))
    for (const kid of [old, toLatest(old, () => "new")]) {
      talk(bot(group("g", link("kid"), say("back"))), { linked: kid ? { kid } : {} })
        .bot("old", "back")
        .ends()
    }
  })

  it("begins at the first block of the group, wherever the start edge leads", () => {
    const astray = {
      ...kid,
      edges: kid.edges.map((edge) => ({
        ...edge,
        to: { groupId: groupIdOf("second"), blockId: "b3" },
      })),
    }
    talk(bot(group("g", link("kid"))), { linked: { kid: astray } })
      .bot("one", "two")
      .ends()
  })

  it("understands both names of the block", () => {
    const typed = block("Typebot link", { typebotId: "kid" })
    talk(bot(group("g", typed, say("back"))), { linked: { kid } })
      .bot("first", "back")
      .ends()
  })

  it("fails where too many bots wait for one another", () => {
    const again: Draft[] = [set("A", "1"), link("kid")]
    talk(bot(group("g", ...again)), { linked: { kid: bot(group("k", ...again)) } })
      .logs(failed)
      .ends()
  })
})

describe("5.5 a link to the bot itself", () => {
  it("shares result, answers and variables", () => {
    const flow = bot(
      group(
        "g",
        ask.text({ saves: "A" }),
        link("current", { groupId: groupIdOf("h") }),
        say("{{A}} {{B}}"),
      ),
      group("h", ask.text({ saves: "B" })),
    )
    const chat = talk(flow).user("a").asks("text input").user("b").bot("a b").ends()
    chat.answered("a", "b").stored({ A: "a", B: "b" }, { isCompleted: true })
    expect(new Set(chat.results.map((record) => record.resultId)).size).toBe(1)
  })

  it("is recognised by its own id", () => {
    const own = bot(
      group("g", link("rootBot", { groupId: groupIdOf("h") }), say("{{A}}")),
      group("h", set("A", "1")),
    )
    talk(own, { linked: { rootBot: own } })
      .bot("1")
      .ends()
  })
})

describe("5.5 the variables of a linked bot", () => {
  it("is the value of the nearest variable of the same name, and no default of its own", () => {
    const inner = bot(
      { variables: { A: "inner", B: "inner", C: "inner" } },
      group("i", say("{{A}}|{{B}}|{{C}}")),
    )
    const middle = bot({ variables: { A: null } }, group("m", set("A", '"middle"'), link("inner")))
    const outer = bot({ variables: { A: "outer", B: "outer" } }, group("o", link("middle")))
    talk(outer, { linked: { inner, middle } }).bot("middle|outer|").ends()
  })

  it("is nothing when the nearest namesake is unset", () => {
    const inner = bot(group("i", say("-{{A}}")))
    const middle = bot({ variables: { A: null } }, group("m", set("A", ""), link("inner")))
    const outer = bot({ variables: { A: "outer" } }, group("o", link("middle")))
    talk(outer, { linked: { inner, middle } }).bot("-").ends()
  })
})

describe("5.5 coming back to the parent", () => {
  it("goes along the link's own edge, else to the next block of the group", () => {
    const kid = bot(group("k", say("kid")))
    const own: Draft = { ...link("kid"), to: "h" }
    talk(bot(group("g", own, say("no")), group("h", say("edge"))), { linked: { kid } })
      .bot("kid", "edge")
      .ends()
    talk(bot(group("g", link("kid"))), { linked: { kid } })
      .bot("kid")
      .ends()
  })

  it("unwinds every parent, also those that have nowhere to go", () => {
    const inner = bot(group("i", say("inner")))
    const middle = bot(group("m", link("inner")))
    talk(bot(group("o", link("middle"), say("outer"))), { linked: { inner, middle } })
      .bot("inner", "outer")
      .ends()
    const chat = talk(bot(group("o", ask.text(), link("middle"))), { linked: { inner, middle } })
    expect(chat.user("x").bot("inner").ends().turn.session.queue).toHaveLength(1)
    chat.stored({}, { isCompleted: true })
  })

  it("takes over values set by a merged child, unknown variables too", () => {
    const kid = bot(group("k", set("Both", '"kid"'), set("Own", '"kid"'), set("Unset", "")))
    const flow = (options: object) =>
      bot(
        { variables: { Both: "parent", Unset: "parent" } },
        group("g", link("kid", { ...options }), ask.text(), say("{{Both}} {{Own}} {{Unset}}")),
      )
    talk(flow({ mergeResults: true }), { linked: { kid } })
      .user("x")
      .bot("kid kid parent")
      .stored({ Both: "kid", Own: "kid", Unset: "parent" })
    talk(flow({ mergeResults: false }), { linked: { kid } })
      .user("x")
      .bot("parent  parent")
  })

  it("keeps unknown variables, for its result and for later links", () => {
    const merging = { mergeResults: true }
    const linked = {
      kid: bot(group("k", set("Own", '"kid"'))),
      later: bot(group("l", say("{{Own}}"))),
    }
    const blocks = [link("kid", merging), ask.text(), link("later", merging), ask.text()]
    talk(bot(group("g", ...blocks)), { linked })
      .stored({ Own: "kid" })
      .user("x")
      .bot("kid")
      .stored({ Own: "kid" })
  })

  it("distinguishes variables with one id, in a bot and its copy", () => {
    const kid = bot(group("k", set("Old", '"kid"')))
    const copy = { ...kid, variables: [{ id: idOf("Old"), name: "New" }] }
    const said = say("{{Old}} {{New}}")
    const flow = bot(
      { variables: { Old: "parent" } },
      group("g", link("kid", { mergeResults: true }), said, ask.text(), said),
    )
    const parent = { ...flow, variables: flow.variables.filter(({ name }) => name === "Old") }
    talk(parent, { linked: { kid: copy } })
      .bot("parent kid")
      .stored({ Old: "parent", New: "kid" })
      .user("x")
      .bot("parent kid")
      .ends()
  })

  it("lets a merged child redefine answers of the same key", () => {
    const kid = bot(group("k", ask.text({ saves: "A" })))
    const flow = bot(
      group(
        "g",
        ask.text({ saves: "A" }),
        ask.text({ saves: "B" }),
        link("kid", { mergeResults: true }),
        ask.text(),
      ),
    )
    const chat = talk(flow, { linked: { kid } }).user("1").user("2").user("3")
    expect(chat.turn.session.queue[0]?.answers).toEqual([
      ["B", "2"],
      ["A", "3"],
    ])
    chat.answered("1", "2", "3")
  })

  it("waits in the child over several calls", () => {
    const kid = bot(
      group("k", ask.text({ saves: "A" }), ask.number({ saves: "N" }), say("{{A}}{{N}}")),
    )
    talk(bot(group("g", link("kid"), say("back"))), { linked: { kid } })
      .asks("text input")
      .user("a")
      .asks("number input")
      .user("x")
      .bot("That answer is not valid. Please try again.")
      .asks("number input")
      .user("1")
      .bot("a1", "back")
      .ends()
  })

  it("starts anew when a preview continues after its end in another bot", () => {
    const kid = bot(group("k", ask.text({ saves: "A" })))
    talk(bot(group("g", say("Hi"), link("kid"), say("back"))), { linked: { kid }, isPreview: true })
      .user("x")
      .bot("back")
      .ends()
      .user("y")
      .bot("Hi")
      .asks("text input")
  })
})

describe("5.5 results of linked bots", () => {
  const kid = bot(group("k", ask.text({ saves: "A" })))

  it("keep the parents' values while merging children run", () => {
    const into = link("kid", { mergeResults: true })
    const middle = bot(
      { sessionVariables: ["S"] },
      group("m", set("S", '"s"'), set("M", '"m"'), into),
    )
    const inner = bot(
      group("i", set("S", '"inner"'), set("P", '"inner"'), ask.text({ saves: "A" })),
    )
    const flow = bot(
      { variables: { P: "p", Q: "q" } },
      group("g", link("middle", { mergeResults: true }), ask.text()),
    )
    const chat = talk(flow, { linked: { middle, kid: inner } })
    chat.stored({ P: "inner", Q: "q", M: "m" })
    chat.user("a").asks("text input").stored({ P: "inner", Q: "q", M: "m", A: "a" })
  })

  it("belong to the child alone, and the parent's row is there before it", () => {
    const chat = talk(bot({ variables: { P: "p" } }, group("g", link("kid"), ask.text())), {
      linked: { kid },
    })
    const [parent, child] = chat.results
    expect(parent?.row).toMatchObject({ hasStarted: false, isCompleted: false })
    expect(child).toMatchObject({ version: "version of kid", row: { hasStarted: false } })
    expect(child?.resultId).not.toBe(parent?.resultId)
    chat.user("x").asks("text input")
    expect(chat.results.slice(2)).toMatchObject([
      { resultId: child?.resultId, row: { hasStarted: true, isCompleted: true } },
      { resultId: parent?.resultId, row: { hasStarted: false, isCompleted: false } },
    ])
  })

  it("come after the parent's row, which has the answers before the link", () => {
    const chat = talk(bot(group("g", ask.text({ saves: "P" }), link("kid"))), { linked: { kid } })
    chat.user("a").asks("text input").stored({ P: "a" }, { hasStarted: true, isCompleted: false })
  })

  it("leave the parent's row alone while the child runs", () => {
    const two = bot(group("k", ask.text(), ask.text()))
    const chat = talk(bot(group("g", ask.text(), link("two"), ask.text())), { linked: { two } })
    const before = chat.user("a").results.length
    chat.user("b")
    const rows = chat.results.slice(before).filter(({ row }) => row)
    expect(rows.map((record) => record.version)).toEqual(["version of two"])
  })

  it("are none in a preview", () => {
    const chat = talk(bot(group("g", link("kid"), say("end"))), {
      linked: { kid },
      isPreview: true,
    })
    expect(chat.user("x").bot("end").ends().results).toEqual([])
  })
})

describe("5.5 links among other ways out", () => {
  it("keep the mark of a jump while the linked bot runs", () => {
    const flow = bot(group("g", jump("h"), say("back")), group("h", link("kid"), goBack()))
    talk(flow, { linked: { kid: bot(group("k", ask.text())) } })
      .user("x")
      .bot("back")
      .ends()
  })

  it("end the path with a log when a child returns to a place in its parent", () => {
    const flow = bot(group("g", jump("h"), say("back")), group("h", link("kid"), say("after")))
    const kid = bot(group("k", goBack(), say("kid")))
    talk(flow, { linked: { kid } }).logs("The block to return to is gone").bot("after").ends()
  })

  it("resume what a command of the parent has interrupted", () => {
    const flow = bot(
      { events: [onCommand("help", "h", { resumeAfter: true })] },
      group("g", ask.text({ id: "i" }), say("end")),
      group("h", link("kid")),
    )
    talk(flow, { linked: { kid: bot(group("k", ask.email())) } })
      .commands("help")
      .asks("email input")
      .user("a@b.co")
      .asks("text input", { id: "i" })
      .user("x")
      .bot("end")
      .ends()
  })
})

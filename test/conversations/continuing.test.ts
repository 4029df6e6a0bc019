/** Chapter 4: how a chat continues. */
import { describe, expect, it } from "vitest"
import {
  ask,
  block,
  bot,
  group,
  link,
  onCommand,
  onReply,
  say,
  set,
  show,
} from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const register = { isOnlyRegistering: true }
const progressBar = { general: { progressBar: { isEnabled: true } } }

describe("4.1 a chat that has not started, or is over", () => {
  it("starts anew with its variables and without its answers", () => {
    const flow = bot(group("g", set("A", "return ({{A}} ?? 0) + 1"), say("{{A}}")))
    talk(flow).bot("1").ends().user("x").bot("2").ends().answered()
  })

  it("starts anew with the bot that was started, also where a linked bot ended the chat", () => {
    const whole = bot(group("k", say("kid", { to: "gone" })), group("gone", say("gone")))
    const kid = { ...whole, groups: whole.groups.slice(0, 1) }
    const chat = talk(bot(group("g", say("root"), link("kid"))), { linked: { kid } })
    chat.bot("root", "kid").ends().user("x").bot("root", "kid").ends()
    expect(chat.turn.session.queue).toHaveLength(2)
  })

  it("starts anew without the question that a command had interrupted", () => {
    const whole = bot(
      { events: [onCommand("stop", "h", { resumeAfter: true })] },
      group("g", ask.text({ saves: "A" })),
      group("h", say("Bye", { to: "gone" })),
      group("gone", say("gone")),
    )
    const flow = { ...whole, groups: whole.groups.slice(0, 2) }
    const chat = talk(flow, { opening: { type: "command", command: "stop" } })
      .bot("Bye")
      .ends()
    chat.user().asks("text input").user("x").ends()
  })

  it("keeps the values given before the start when it was only registered", () => {
    const flow = bot({ variables: { N: null } }, group("g", say("Hi {{N}}"), ask.text()))
    talk(flow, { ...register, prefilled: { N: "Ann" } })
      .silent()
      .user()
      .bot("Hi Ann")
      .asks("text input")
  })

  it("shows progress also when it was only registered", () => {
    const flow = bot({ theme: progressBar }, group("g", ask.text()))
    expect(talk(flow, register).user().turn.progress).toBe(50)
  })

  it("lets a command that comes first interrupt the first input", () => {
    const flow = bot(
      { events: [onCommand("help", "h", { resumeAfter: true })] },
      group("g", ask.text({ id: "i" })),
      group("h", say("Help!")),
    )
    talk(flow, register).commands("help").bot("Help!").asks("text input", { id: "i" })
  })

  it("drops a command that comes first when the bot speaks first", () => {
    const flow = bot(
      { events: [onCommand("help", "h")] },
      group("g", say("Hi"), ask.text()),
      group("h", say("Help!")),
    )
    talk(flow, register).commands("help").bot("Hi").asks("text input")
  })
})

describe("4.3 the waiting block", () => {
  it("is a bug when it vanished from the version that the chat runs", () => {
    const chat = talk(bot(group("g", ask.text())))
    expect(() => chat.at("gone").user("x")).toThrow(/gone/)
  })
})

describe("4.4 a report of the client to a block that is not an input", () => {
  const wait = set("A", "1", { isExecutedOnClient: true })

  it("is stored by Set variable: JSON as its value, anything else as text", () => {
    const flow = bot({ variables: { A: "old" } }, group("g", wait, ask.text()))
    talk(flow).user('["x","y"]').knows("A", ["x", "y"])
    talk(flow).user("5").knows("A", "5")
    talk(flow).user("{oops").knows("A", "{oops")
    talk(flow).user("").knows("A", undefined)
  })

  it("changes nothing when it is absent", () => {
    const flow = bot({ variables: { A: "old" } }, group("g", wait, say("on"), ask.text()))
    talk(flow).user().knows("A", "old").bot("on").asks("text input").answered()
  })

  it("is the response of a request made at the client", () => {
    const options = {
      isExecutedOnClient: true,
      webhook: { url: "https://e.com" },
      responseVariableMapping: [{ id: "m", variableId: "vR", bodyPath: "data.name" }],
    }
    const flow = bot(group("g", block("Webhook", options), say("-{{R}}")))
    talk(flow).user('{"statusCode":200,"data":{"name":"Ann"}}').bot("-Ann").ends()
    expect(() => talk(flow).user("no json")).toThrow(
      expect.objectContaining({ code: "BAD_REQUEST" }),
    )
  })

  describe("of a call from outside", () => {
    const hook = (bodyPath: string) =>
      block("webhook", { responseVariableMapping: [{ id: "m", variableId: "vR", bodyPath }] })
    const flow = (path: string) => bot(group("g", hook(path), say("-{{R}}"), ask.text()))
    const listens = { type: "listenForWebhook", expectsDedicatedReply: true }

    it("does not count: the call that reached the service is stored", () => {
      talk(flow("data.a")).does(listens).waits()
      talk(flow("data.a")).called({ a: "b" }, '{"data":{"a":"forged"}}').bot("-b")
      talk(flow("data.a")).called({ a: "b" }, "plain words").bot("-b")
      talk(flow("data.a")).called({ a: "b" }).bot("-b")
      talk(flow("statusCode")).called({}, '{"statusCode":500,"data":{}}').bot("-200")
    })

    it("does not continue the chat without a call", () => {
      const chat = talk(flow("data.a"))
      for (const said of ['{"data":{"a":"forged"}}', "words", "", undefined]) {
        chat.user(said).does(listens).idle().waits().knows("R", undefined).answered()
      }
      chat.user({ type: "audio", url: "https://e.com/a.mp3" }).waits()
      chat.called({ a: "b" }).bot("-b")
    })

    it("is taken once: the next wait at the same block has to have its own", () => {
      const again = bot(group("g", hook("data.a"), say("-{{R}}", { to: "g" })))
      talk(again).called({ a: "1" }).bot("-1").waits().user().waits().called({ a: "2" }).bot("-2")
    })

    it("is known to a path with inline code", () => {
      talk(flow('data["{{= 1 + 1 =}}"]')).called({ 2: "two" }).bot("-two")
    })
  })

  it("is the shown page's message", () => {
    const page = (saveDataInVariableId?: string) =>
      show("embed", {
        url: "u",
        waitForEvent: { isEnabled: true, name: "n", saveDataInVariableId },
      })
    talk(bot(group("g", page("vD"), say("-{{D}}"))))
      .user("data")
      .bot("-data")
      .ends()
    talk(bot(group("g", page("vD"), say("-{{D}}"))))
      .user()
      .bot("-")
      .ends()
    talk(bot(group("g", page(), say("on"))))
      .user("data")
      .bot("on")
      .ends()
  })

  it("is ignored by everything else", () => {
    const pause = block("Wait", { secondsToWaitFor: "1", shouldPause: true })
    talk(bot(group("g", pause, say("on"))))
      .user("anything")
      .bot("on")
      .ends()
      .answered()
  })
})

describe("4.5 a reply to an input", () => {
  it("is judged also when it is absent", () => {
    talk(bot(group("g", ask.text(), say("no"))))
      .user()
      .bot("That answer is not valid. Please try again.")
      .asks("text input")
  })

  it("only counts as a step of the record when it is not valid", () => {
    const chat = talk(bot(group("g", ask.email({ saves: "E" }), say("ok"))))
    const before = chat.turn.session
    chat.user("bad").knows("E", undefined).answered()
    const { queue, ...rest } = chat.turn.session
    expect(rest).toEqual({ ...before, step: before.step + 1, queue: undefined })
    const [{ counts, ...root } = {}] = queue as Partial<(typeof queue)[number]>[]
    expect(root).toEqual({ ...before.queue[0], counts: undefined })
    expect(counts).toMatchObject({ answers: 0, steps: 2 })
  })

  it("sets what a card maps before events and answer", () => {
    const flow = bot(
      group(
        "g",
        ask.cards({
          items: [{ id: "c", title: "Red", options: { internalValue: "r" }, paths: [{ id: "p" }] }],
          saveResponseMapping: [{ field: "Internal Value", variableId: "vV" }],
        }),
        say("{{V}}"),
      ),
    )
    talk(flow).user("Red").bot("r").answered("Red").ends()
  })
})

describe("4.6 the next edge", () => {
  it("is the block's own after a skip", () => {
    const flow = bot(
      group("g", ask.file({ isRequired: false, to: "h" }), say("no")),
      group("h", say("skipped")),
    )
    talk(flow).user().bot("skipped").ends().answered()
  })

  it("is the block's own after a client's report", () => {
    const wait = set("A", "1", { isExecutedOnClient: true, to: "h" })
    talk(bot(group("g", wait, say("no")), group("h", say("there"))))
      .user("x")
      .bot("there")
      .ends()
  })

  it("is that of the card's path, and counts as visited", () => {
    const paths = [
      { id: "p1", text: "Buy", to: "buy" },
      { id: "p2", text: "Not now" },
    ]
    const flow = bot(
      group("g", ask.cards({ items: [{ id: "c", title: "Red", paths }], to: "own" })),
      group("buy", say("bought")),
      group("own", say("own")),
    )
    const edge = (title: string) =>
      flow.edges.find(({ to }) => to.groupId === `g${title}`)?.id ?? "none"
    talk(flow).user("p1").bot("bought").visited(edge("buy")).ends()
    talk(flow).user("p2").bot("own").visited().ends()
  })
})

describe("4.7 the walk after a reply", () => {
  it("goes along the edge rather than through the rest of the group", () => {
    talk(bot(group("g", ask.text({ to: "h" }), say("no")), group("h", say("edge"))))
      .user("x")
      .bot("edge")
      .ends()
  })

  it("ends without having walked when nothing comes after", () => {
    const chat = talk(bot(group("g", ask.text())))
      .user("x")
      .ends()
    expect(chat.turn.hasWalked).toBe(false)
  })
})

describe("4.8 a reply event", () => {
  it("resumes the reply automatically", () => {
    const flow = bot(
      { events: [onReply("r")] },
      group("g", ask.text({ saves: "A" }), say("-{{A}}")),
      group("r", say("heard"), { type: "Return" }),
    )
    talk(flow).user("x").bot("heard", "-x").answered("x").ends()
  })
})

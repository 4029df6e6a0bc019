/** Recorded conversations, replayed with the version that they ran and with another. */
import { describe, expect, test } from "vitest"
import {
  ask,
  block,
  bot,
  group,
  idOf,
  link,
  onCommand,
  onIdle,
  onReply,
  say,
  set,
  when,
} from "../../../test/support/bots.ts"
import { type Recording, recordChat, replay } from "../../../test/support/recordChat.ts"
import type { Flow } from "../../engine/bot.ts"
import type { RecordedTurn } from "../../engine/recorded/recordedTurn.ts"
import { createEffort } from "./replaySide.ts"

const same = { isSame: true }

/** A question with two ways on; `more` changes a part of it. */
const colours = ({
  red = "Red",
  rose = "Red like a rose, {{Colour}}",
  thanks = "Thanks {{E}}",
} = {}) =>
  bot(
    group(
      "Start",
      say("Which colour?"),
      ask.choice(
        [
          { content: red, to: "Red" },
          { content: "Blue", to: "Blue" },
        ],
        { saves: "Colour" },
      ),
    ),
    group("Red", say(rose), ask.email({ saves: "E" }), say(thanks)),
    group("Blue", say("Blue like the sea")),
  )

const red = recordChat(colours(), ["Red", "no address", "Ann@example.com"])
const blue = recordChat(colours(), ["Blue"])
const gone = recordChat(colours(), [])

describe("against the version that ran, and one that shows the same", () => {
  test.each([red, blue, gone])("nothing differs", (recording) => {
    expect(replay(recording, colours())).toEqual(same)
  })

  test("other ids, coordinates and titles show nowhere", () => {
    const copied = JSON.parse(
      JSON.stringify(colours()).replace(/"(b\d|g[A-Z]\w+|e\d|i\d|v[A-Z]\w*)"/g, '"$1-copy"'),
    ) as Flow
    const groups = copied.groups.map((each) => ({
      ...each,
      title: `${each.title} 2`,
      graphCoordinates: { x: 9, y: 9 },
    }))
    for (const each of [red, blue, gone]) expect(replay(each, { ...copied, groups })).toEqual(same)
  })

  test("unreached parts change nothing", () => {
    const changed = colours({ rose: "New" })
    expect(replay(blue, changed)).toEqual(same)
    expect(replay(gone, changed)).toEqual(same)
    expect(replay(red, changed)).toEqual({
      difference: {
        kind: "text",
        before: { groupTitle: "Red", blockId: "b3", excerpt: "Red like a rose, Red" },
        after: { groupTitle: "Red", blockId: "b3", excerpt: "New" },
      },
      isReadOtherwise: false,
    })
  })
})

test("a renamed choice shows to all who were asked, and changes the reading for those who chose it", () => {
  const seen = [red, blue, gone].map((each) => replay(each, colours({ red: "Crimson" })))
  for (const each of seen) {
    expect(each).toMatchObject({
      difference: {
        kind: "question",
        before: { groupTitle: "Start", excerpt: "choice input | Red | Blue" },
        after: { excerpt: "choice input | Crimson | Blue" },
      },
    })
  }
  expect(seen).toMatchObject([true, false, false].map((isReadOtherwise) => ({ isReadOtherwise })))
})

describe("each kind of difference", () => {
  const asked = (...more: ReturnType<typeof say>[]) => askedFor("x", ...more)
  const askedFor = (value: string, ...more: ReturnType<typeof say>[]) =>
    bot(
      group("A", say("One"), ask.choice([{ content: "X", value }], { saves: "N", id: "asks" })),
      group("B", ...more),
    )
  const [two, three] = [say("Two", { id: "two" }), say("Three", { id: "three" })]
  const linked = (flow: Flow): Flow => ({
    ...flow,
    groups: flow.groups.map((each) => ({
      ...each,
      blocks: each.blocks.map((one) =>
        one.id === "asks" ? { ...one, outgoingEdgeId: "on" } : one,
      ),
    })),
    edges: [...flow.edges, { id: "on", from: { blockId: "asks" }, to: { groupId: "gB" } }],
  })
  const recording = recordChat(linked(asked(two, three)), ["X"])
  const loop = block("Jump", { groupId: "gB" })
  test.each([
    ["text", "a text more", linked(asked(two, say("More"), three))],
    ["text", "a text less", linked(asked(two))],
    ["question", "a question more", linked(asked(two, three, ask.text({ id: "new" })))],
    ["answer", "another value that is stored", linked(askedFor("y", two, three))],
    ["path", "texts in another order", linked(asked(three, two))],
    [
      "action",
      "an action of the client",
      linked(asked(two, three, block("Redirect", { url: "https://e.com" }))),
    ],
    ["end", "an edge that is gone", asked(two, three)],
    ["end", "a loop that is stopped", linked(asked(loop))],
    ["variable", "another value in the result", linked(asked(two, three, set("N", "y")))],
  ])("%s: %s", (kind, _, after) => {
    expect(replay(recording, linked(asked(two, three)))).toEqual(same)
    expect(replay(recording, after)).toMatchObject({ difference: { kind } })
  })
})

describe("the world is that of the record", () => {
  const http = (url: string, saves = "City") =>
    block("Webhook", {
      webhook: { url, method: "GET" },
      responseVariableMapping: [{ id: "m", variableId: idOf(saves), bodyPath: "data.city" }],
      isExecutedOnClient: false,
    })
  const asks = (url: string, last = "In {{City}}", saves = "City") =>
    bot(group("A", ask.text({ saves: "Name" }), http(url, saves), say(last), ask.text()))
  const paris = recordChat(asks("https://e.com/{{Name}}"), ["Ann", "Ok"], {
    answer: () => ({ status: 200, text: JSON.stringify({ city: "Paris" }) }),
  })

  test("no calls are made, and blocks set their recorded values", () => {
    expect(replay(paris, asks("https://e.com/{{Name}}"))).toEqual(same)
    const changed = asks("https://e.com/{{Name}}", "You live in {{City}}")
    expect(replay(paris, changed)).toMatchObject({
      difference: { before: { excerpt: "In Paris" }, after: { excerpt: "You live in Paris" } },
    })
  })

  test("inline code is evaluated anew after a block with recorded values", () => {
    const city = "{{={{City}}=}}"
    const answer = () => ({ status: 200, text: '{"city":"Oslo"}' })
    const url = `https://e.com/${city}`
    const oslo = recordChat(asks(url, `In ${city}`), ["Ann"], { answer })
    expect(replay(oslo, asks(url))).toEqual(same)
  })

  test("a different or missing call ends the replay there", () => {
    const outside = { difference: { kind: "outside", before: { groupTitle: "A" } } }
    expect(replay(paris, asks("https://e.com/?{{Name}}"))).toMatchObject(outside)
    expect(replay(paris, asks("https://e.com/{{Name}}", "In {{City}}", "Town"))).toMatchObject(
      outside,
    )
    const quiet = (...more: ReturnType<typeof say>[]) =>
      bot(group("A", ask.text({ saves: "Name" }), ...more, say("Thanks")))
    const asking = quiet(http("https://e.com/"))
    const recording = recordChat(asking, ["Ann"])
    expect(replay(recording, asking)).toEqual(same)
    expect(replay(recording, quiet())).toMatchObject(outside)
  })

  test("dice fall as they fell", () => {
    const tested = (second = "B") =>
      bot(
        group("Start", {
          ...block("AB test", { aPercent: 50 }),
          items: [
            { id: "a", path: "a", to: "A" },
            { id: "b", path: "b", to: "B" },
          ],
        }),
        group("A", say("A"), ask.text()),
        group("B", say(second), ask.text()),
      )
    const low = recordChat(tested(), ["x"], { random: () => 0.1 })
    const high = recordChat(tested(), ["x"], { random: () => 0.9 })
    expect([low, high].map((each) => replay(each, tested()))).toEqual([same, same])
    expect(replay(low, tested("Other"))).toEqual(same)
    expect(replay(high, tested("Other"))).toMatchObject({
      difference: { before: { excerpt: "B" } },
    })
  })

  test("scripts run again; one that draws, ids and the time are the same in both", () => {
    const drawing = bot(
      group(
        "A",
        set("N", "Math.random()"),
        set("Now", "", { type: "Now" }),
        set("Id", "", { type: "Random ID" }),
        say("{{N}} {{Now}} {{Id}}"),
        ask.text({ saves: "T" }),
      ),
    )
    expect(replay(recordChat(drawing, ["x"]), drawing)).toEqual(same)
  })

  test("prefilled variables are those of the start", () => {
    const greets = (text = "Hi {{Name}} of {{Place}}") =>
      bot(
        group(
          "A",
          set("Place", "Home"),
          say(text),
          when([["Name", "Equal to", "Ann"]], { to: "B" }),
        ),
        group("B", say("Ann!"), ask.text()),
      )
    const ann = recordChat(greets(), ["x"], { prefilled: { Name: "Ann", Place: "There" } })
    expect(replay(ann, greets())).toEqual(same)
    expect(replay(ann, greets("Hello {{Name}}"))).toMatchObject({
      difference: { before: { excerpt: "Hi Ann of Home" }, after: { excerpt: "Hello Ann" } },
    })
  })

  test.each([
    true,
    false,
  ])("linked bots run the version that they ran; results merge: %s", (mergeResults) => {
    const linked = { kid: bot(group("K", say("Kid"), ask.text({ saves: "Name" }))) }
    const leads = (text = "Back, {{Name}}") =>
      bot(group("A", link("bot-kid", { mergeResults }), say(text), ask.text()))
    const recording = recordChat(leads(), ["Ann", "Bye"], { linked })
    expect(replay(recording, leads())).toEqual(same)
    expect(replay(recording, leads("Here"))).toMatchObject({
      difference: { kind: "text", before: { groupTitle: "A" } },
    })
  })

  test("commands, silence and skipped questions begin turns", () => {
    const eventful = (help = "Help!") =>
      bot(
        { events: [onCommand("help", "Help", { resumeAfter: true }), onIdle(60, "Idle")] },
        group("A", ask.file({ isRequired: false }), ask.text({ saves: "T" }), say("{{T}}")),
        group("Help", say(help)),
        group("Idle", say("Still there?")),
      )
    const help = { type: "command", command: "help" } as const
    const recording = recordChat(eventful(), [undefined, { seconds: 60 }, help, "x"])
    expect(recording.chat.turns).toHaveLength(5)
    expect(replay(recording, eventful())).toEqual(same)
    expect(replay(recording, eventful("Here is help"))).toMatchObject({
      difference: { kind: "text", after: { groupTitle: "Help" } },
    })
  })

  test("replies go to events first", () => {
    const judged = (said = "You said {{Content}}") =>
      bot(
        { events: [onReply("Invalid", "invalidReply")] },
        group("A", ask.email({ saves: "E" }), say("Thanks")),
        group("Invalid", say(said), block("Return")),
      )
    const recording = recordChat(judged(), ["no address", "a@b.co"])
    expect(recording.chat.turns).toHaveLength(3)
    expect(replay(recording, judged())).toEqual(same)
    expect(replay(recording, judged("{{Content}}?"))).toMatchObject({
      difference: { before: { excerpt: "You said no address" }, after: { excerpt: "no address?" } },
    })
  })

  test("a page reports what the chat waited for", () => {
    const waits = (last = "You use a {{Device}}") =>
      bot(group("A", set("Device", "", { type: "Device type" }), say(last), ask.text()))
    const recording = recordChat(waits(), ["desktop", "x"])
    expect(replay(recording, waits())).toEqual(same)
    expect(replay(recording, waits("{{Device}}"))).toMatchObject({
      difference: { before: { excerpt: "You use a desktop" }, after: { excerpt: "desktop" } },
    })
  })

  test.each([true, false])("a model answers as it did, streamed: %s", (isStreamEnabled) => {
    const asks = (last = "That was: {{Answer}}") =>
      bot(
        group(
          "A",
          ask.text({ saves: "Q" }),
          block("openai", {
            action: "Create chat completion",
            credentialsId: "c",
            model: "m",
            messages: [{ role: "user", content: "{{Q}}" }],
            responseMapping: [{ item: "Message content", variableId: idOf("Answer") }],
          }),
          say("{{Answer}}"),
          say(last),
          ask.text(),
        ),
      )
    const said = isStreamEnabled ? ["Why?", "Because.", "Ok"] : ["Why?", "Ok"]
    const answer = () => ({ text: "Because." })
    const recording = recordChat(asks(), said, { isStreamEnabled, answer })
    expect(recording.chat.turns).toHaveLength(said.length + 1)
    expect(replay(recording, asks())).toEqual(same)
    expect(replay(recording, asks("{{Answer}}!"))).toMatchObject({
      difference: { before: { excerpt: "That was: Because." }, after: { excerpt: "Because.!" } },
    })
  })

  test("variables that were set from outside are set", () => {
    const waits = (last = "{{Plan}}") => bot(group("A", ask.text(), say(last)))
    const recording = recordChat(waits(), [{ steering: { variables: { Plan: "pro" } } }, "x"])
    expect(replay(recording, waits())).toEqual(same)
    expect(replay(recording, waits("Plan {{Plan}}"))).toMatchObject({
      difference: { before: { excerpt: "pro" }, after: { excerpt: "Plan pro" } },
    })
  })

  test("payments are neither prepared nor made", () => {
    const pays = bot(group("A", ask.payment({ amount: "5", credentialsId: "c" }), say("Paid")))
    const recording = recordChat(pays, ["Success"], {
      answer: ({ kind }) =>
        kind === "paymentIntent"
          ? { intentId: "i", clientSecret: "s", publicKey: "p" }
          : { succeeded: true },
    })
    expect(recording.chat.turns).toHaveLength(2)
    expect(replay(recording, pays)).toEqual(same)
  })
})

describe("unknowns are reported instead of guessed", () => {
  const flow = bot(group("A", say("Hi"), ask.text({ saves: "N" }), say("Thanks {{N}}"), ask.text()))
  const recording = recordChat(flow, ["x", "y"])
  const [first, ...others] = recording.chat.turns
  if (!first) throw new Error("unreached")
  const withTurns = (turns: RecordedTurn[]) => ({
    ...recording,
    chat: { ...recording.chat, turns },
  })

  test.each<[string, Recording]>([
    ["versionDeleted", { ...recording, bots: new Map() }],
    ["oldRecord", withTurns([{ ...first, shown: undefined }, ...others])],
    ["cutRecord", withTurns([{ ...first, shown: [{ cut: 1 }] }, ...others])],
    ["continued", withTurns([{ ...first, trace: { version: "v1" } }, ...others])],
    ["diverged", withTurns([{ ...first, passed: first.passed.slice(1) }, ...others])],
    ["steered", recordChat(flow, [{ steering: { continueAt: { groupId: "gA" } } }])],
    [
      "unrecorded",
      recordChat(
        bot({ sessionVariables: ["Secret"] }, group("A", say("{{Secret}}"), ask.text())),
        [],
        { prefilled: { Secret: "s" } },
      ),
    ],
  ])("%s", (obstacle, each) => {
    const own = each.bots.get("v1")?.flow ?? flow
    expect(replay(each, own)).toEqual({ obstacle })
  })

  test("a reply that its version would not have saved like that", () => {
    const asks = bot(group("A", ask.email({ id: "asks" }), say("Thanks")))
    const { chat, ...others } = recordChat(asks, ["a@b.co"])
    const [start, replied] = chat.turns
    if (!start || !replied) throw new Error("unreached")
    const content = "A@B.CO"
    const line = { from: "person", type: "text", text: content } as const
    const answered = {
      ...replied,
      answers: [{ blockId: "asks", content }],
      passed: replied.passed.map((each) => (each.isVisit ? each : { ...each, line })),
    }
    const forged = { ...others, chat: { ...chat, turns: [start, answered] } }
    expect(replay(forged, asks)).toEqual({ obstacle: "diverged" })
  })

  test("the work that a conversation takes is bounded", () => {
    expect(replay(recording, flow, createEffort(300))).toEqual({ obstacle: "tooLong" })
    const loop = bot(
      group("A", say("Hi"), ask.text({ saves: "N" }), block("Jump", { groupId: "gB" })),
      group("B", set("N", "{{N}}{{N}}"), block("Jump", { groupId: "gB" })),
    )
    const refused = { difference: { kind: "end", after: { excerpt: expect.any(String) } } }
    expect(replay(recording, loop)).toMatchObject(refused)
  })
})

/** Diffs of changes that authors make. */
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { ask, bot, group, jump, onCommand, say, when } from "../../../test/support/bots.ts"
import { blockTypes } from "../../engine/blocks/registry.ts"
import { type Flow, flowSchema } from "../../engine/bot.ts"
import { diffFlows } from "./diffFlows.ts"

/** The diff as lines: kind, place, label, texts. */
function lines(before: Flow, after: Flow): string[] {
  return diffFlows(before, after).map(({ kind, what, place, label, before, after }) =>
    [kind, what === "edge" ? "edge of" : undefined, place, label && `(${label})`]
      .concat(before && `- ${before}`, after && `+ ${after}`)
      .filter((word) => word)
      .join(" "),
  )
}

const contact = (text: string, id = "hello") =>
  group("Contact", say(text, { id }), ask.email({ id: "mail", saves: "Email", to: "Thanks" }))
const thanks = group("Thanks", say("Thank you, {{Email}}.", { id: "thanks" }))

describe("texts", () => {
  const rich = (...children: object[]) =>
    bot(group("A", { type: "text", id: "a", content: { richText: [{ type: "p", children }] } }))

  it("a changed text is shown as plain text, for any leaves", () => {
    const before = rich({ text: "Hello" })
    const after = rich({ text: "Hi " }, { text: "you", bold: true })
    expect(lines(before, after)).toEqual([
      'changed Group "A" › block 1 (text) (Formatted text) - Hello + Hi you',
    ])
  })

  it("marks are shown where only they differ", () => {
    expect(lines(rich({ text: "Hi" }), rich({ text: "Hi", bold: true }))).toEqual([
      'changed Group "A" › block 1 (text) (Formatted text) - Hi + **Hi**',
    ])
  })

  it("an option is labelled by its description, a variable by its name", () => {
    const of = (saves: string) =>
      bot(
        { variables: { Name: "", Other: "" } },
        group("A", ask.choice(["Yes"], { id: "c", saves })),
      )
    expect(lines(of("Name"), of("Other"))).toEqual([
      'changed Group "A" › block 1 (choice input) (Receives the answer) - {{Name}} + {{Other}}',
    ])
  })

  it("a condition is written out", () => {
    const of = (value: string) =>
      bot(group("A", { ...when([["Age", "Greater than", value]]), id: "if" }))
    expect(lines(of("17"), of("20"))).toEqual([
      'changed Group "A" › block 1 (Condition) › item 1 "{{Age}} Greater than 20" ' +
        "(Text to compare with) - 17 + 20",
    ])
  })

  it("blocks of unknown types are compared too", () => {
    const of = (depth: number) =>
      bot(group("A", { type: "hologram", id: "h", depth, constructor: 1 }))
    expect(diffFlows(of(3), of(4))).toMatchObject([
      {
        kind: "changed",
        what: "block",
        id: "h",
        path: "/depth",
        before: "3",
        after: "4",
        value: 4,
      },
    ])
  })
})

describe("edges", () => {
  const ways = (yes: string, no: string) =>
    bot(
      group(
        "Ask",
        ask.choice(
          [
            { content: "Yes", to: yes },
            { content: "No", to: no },
          ],
          { id: "c" },
        ),
      ),
      group("Good", say("Good", { id: "good" })),
      group("Bad", say("Bad", { id: "bad" }), say("Worse", { id: "worse" })),
    )

  it("an edge with another target is listed at its source", () => {
    expect(lines(ways("Good", "Bad"), ways("Good", "Bad#worse"))).toEqual([
      'rewired edge of Group "Ask" › block 1 (choice input) › item 2 "No" ' +
        '- Group "Bad" + Group "Bad" › block 2 (text)',
    ])
  })

  it("a redrawn edge equals one with another target", () => {
    const before = ways("Good", "Bad")
    const after = JSON.parse(JSON.stringify(ways("Good", "Good")).replaceAll('"e2"', '"new"'))
    expect(diffFlows(before, after)).toMatchObject([
      {
        kind: "rewired",
        id: "new",
        before: 'Group "Bad"',
        after: 'Group "Good"',
        exits: ["/groups/0/blocks/0/items/1/outgoingEdgeId"],
      },
    ])
  })

  it("an edge redrawn to the same place differs only in its id", () => {
    const before = ways("Good", "Bad")
    const after = JSON.parse(JSON.stringify(before).replaceAll('"e2"', '"new"'))
    expect(diffFlows(before, after)).toMatchObject([
      {
        kind: "changed",
        place: 'Group "Ask" › block 1 (choice input) › item 2 "No"',
        before: "e2",
        after: "new",
        exits: ["/groups/0/blocks/0/items/1/outgoingEdgeId"],
      },
    ])
  })

  it("connecting and disconnecting are reported only for the edge", () => {
    const loose = bot(contact("Hello"), thanks)
    const connected = structuredClone(loose)
    Object.assign(connected.groups[1]?.blocks[0] ?? {}, { outgoingEdgeId: "again" })
    connected.edges.push({ id: "again", from: { blockId: "thanks" }, to: { groupId: "gContact" } })
    const edge = 'edge of Group "Thanks" › block 1 (text)'
    expect(lines(loose, connected)).toEqual([`added ${edge} + Group "Contact"`])
    expect(lines(connected, loose)).toEqual([`removed ${edge} - Group "Contact"`])
  })

  it("an exit that takes the edge of another one is a change of its own", () => {
    const before = ways("Good", "Bad")
    const after = JSON.parse(
      JSON.stringify(before).replace('"outgoingEdgeId":"e2"', '"outgoingEdgeId":"e1"'),
    )
    after.edges = before.edges
    expect(lines(before, after)).toEqual([
      'changed Group "Ask" › block 1 (choice input) › item 2 "No" (Id of the edge to follow) ' +
        '- Group "Bad" + Group "Good"',
    ])
  })
})

describe("places", () => {
  const items = (...contents: string[]) =>
    contents.map((content) => ({ id: content.toLowerCase(), content }))

  it("a block that goes to another group has moved, and the blocks after it have not", () => {
    const [one, two, three] = ["one", "two", "three"].map((id) => say(id, { id }))
    if (!one || !two || !three) throw new Error("Missing")
    const before = bot(group("A", one, two, three), group("B"))
    const after = bot(group("A", two, three), group("B", one))
    expect(lines(before, after)).toEqual([
      'moved Group "B" › block 1 (text) - Group "A" › block 1 (text) + Group "B" › block 1 (text)',
    ])
  })

  it("an item that goes to another block has moved", () => {
    const of = (first: string[], second: string[]) =>
      bot(
        group("A", ask.choice(items(...first), { id: "one" })),
        group("B", ask.choice(items(...second), { id: "two" })),
      )
    expect(lines(of(["Red", "Green"], ["Blue"]), of(["Red"], ["Green", "Blue"]))).toEqual([
      'moved Group "B" › block 1 (choice input) › item 1 "Green" ' +
        '- Group "A" › block 1 (choice input) › item 2 "Green" ' +
        '+ Group "B" › block 1 (choice input) › item 1 "Green"',
    ])
  })

  it("ids that items of copied blocks share do not mix them up", () => {
    const of = (second: string) =>
      bot(
        group("A", ask.choice(["Yes", "No"], { id: "one" })),
        group("B", ask.choice(["Yes", second], { id: "two" })),
      )
    expect(lines(of("No"), of("Never"))).toEqual([
      'changed Group "B" › block 1 (choice input) › item 2 "Never" (Label of the button) ' +
        "- No + Never",
    ])
  })

  it("an added block comes with its items, an added group without its blocks", () => {
    const before = bot(contact("Hello"), thanks)
    const after = bot(
      contact("Hello"),
      thanks,
      group("More", ask.choice(["Yes", "No"], { id: "c" })),
    )
    expect(lines(before, after)).toEqual([
      'added Group "More" + More',
      'added Group "More" › block 1 (choice input) + Yes, No',
    ])
    expect(diffFlows(before, after)).toMatchObject([
      { value: { title: "More", blocks: [] } },
      { value: { items: [{ content: "Yes" }, { content: "No" }] } },
    ])
  })

  it("coordinates, the order of edges and of members are no differences", () => {
    const before = bot(contact("Hello"), thanks)
    const after = structuredClone(before)
    after.edges.reverse()
    for (const part of [...after.groups, ...(after.events ?? [])]) part.graphCoordinates.x = 7
    after.groups = after.groups.map(({ blocks, title, id, ...place }) => ({
      ...place,
      blocks,
      title,
      id,
    }))
    expect(diffFlows(before, after)).toEqual([])
  })
})

describe("order", () => {
  it("changes are in the order of the chat, removed parts at their former place", () => {
    const flow = (word: string, ...more: ReturnType<typeof group>[]) =>
      bot(
        { events: [onCommand("help", "Help")], variables: { Late: word } },
        group("First", say(`${word} 1`, { id: "1" }), ask.choice([{ content: "a", to: "Third" }])),
        group("Unreached", say(`${word} 5`, { id: "5" })),
        group("Help", say(`${word} 4`, { id: "4" })),
        group("Fourth", say(`${word} 3`, { id: "3" })),
        group("Third", ...(more.length > 0 ? [say("gone", { id: "0" })] : []), {
          ...say(`${word} 2`, { id: "2" }),
          to: "Fourth",
        }),
      )
    const places = diffFlows(flow("old", thanks), flow("new")).map(({ id, kind }) => [kind, id])
    expect(places).toEqual([
      ["changed", "1"],
      ["removed", "0"],
      ["changed", "2"],
      ["changed", "3"],
      ["changed", "4"],
      ["changed", "5"],
      ["changed", "vLate"],
    ])
  })

  it("jumps are ways too", () => {
    const flow = (word: string) =>
      bot(
        group("First", { ...jump("Last"), id: "jump" }),
        group("Other", say(word, { id: "other" })),
        group("Last", say(word, { id: "last" })),
      )
    expect(diffFlows(flow("old"), flow("new")).map(({ id }) => id)).toEqual(["last", "other"])
  })
})

it("every change has the pointers of the part in both flows", () => {
  const before = bot(contact("Hello"), thanks)
  const after = bot(contact("Hi", "other"), thanks)
  expect(diffFlows(before, after)).toMatchObject([
    { kind: "removed", id: "hello", pointerBefore: "/groups/0/blocks/0" },
    { kind: "added", id: "other", pointerAfter: "/groups/0/blocks/0" },
  ])
})

it("a named member is labelled, without an answer", () => {
  const words = JSON.stringify(z.toJSONSchema(flowSchema, { io: "input" }))
  expect(words.match(/"description":"(True|False|None|Absent)\b[^"]*"/gi)).toBeNull()
  const waiting = (shouldPause: boolean) =>
    bot(group("A", { type: "Wait", id: "wait", options: { shouldPause } }))
  const label = "Whether the flow continues only after the client's report"
  expect(diffFlows(waiting(false), waiting(true))).toMatchObject([{ label }])
})

it("every type with items labels them", () => {
  const types = Object.entries(blockTypes).filter(
    ([, { schema }]) => schema instanceof z.ZodObject && "items" in schema.shape,
  )
  expect(types.length).toBeGreaterThan(4)
  expect(types.filter(([, type]) => !("itemLabel" in type)).map(([name]) => name)).toEqual([])
})

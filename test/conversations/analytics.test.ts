/** Rule 11.6: counts of blocks and edges equal what really happened, in any flow and any number of chats. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { countFlow, type FlowCounts } from "../../src/engine/analytics/flowCounts.ts"
import { recordedByFlow } from "../../src/engine/analytics/recorded.ts"
import { type Flow, flowSchema, prepareBot } from "../../src/engine/bot.ts"
import type { Message } from "../../src/engine/schema/message.ts"
import type { Turn } from "../../src/engine/turn/run.ts"
import { isOver } from "../../src/engine/turn/settle.ts"
import { AppError } from "../../src/lib/errors.ts"
import { anyFlow, anyFromOutside, anyMessage, converse } from "../support/anyFlow.ts"
import { ask, bot, group, groupIdOf, onIdle, say, set, when } from "../support/bots.ts"
import { fixtureNames, readFixture } from "../support/fixtureBots.ts"
import { testWorld } from "../support/outside.ts"
import { countedFrom } from "../support/recounts.ts"
import { talk } from "../support/talk.ts"

/** Counts of chats, by version. */
function countsOf(flows: Record<string, Flow>, turns: readonly Turn[]): Map<string, FlowCounts> {
  const recorded = recordedByFlow(countedFrom(turns).values())
  return new Map(
    [...recorded].flatMap(([version, each]) => {
      const flow = flows[version]
      return flow ? [[version, countFlow(prepareBot(flow, version, version), each)] as const] : []
    }),
  )
}

/** Every edge of its own block, as builders draw them. */
function withOwnEdges(flow: Flow, prefix: string): Flow {
  const edges: Flow["edges"] = []
  const text = JSON.stringify({ events: flow.events, groups: flow.groups })
  const parts = text.replace(/"outgoingEdgeId":"([^"]*)"/g, (_, id: string) => {
    const edge = flow.edges.find((each) => each.id === id)
    const own = `${prefix}${edges.length}`
    if (edge) edges.push({ ...edge, id: own })
    return `"outgoingEdgeId":"${edge ? own : "gone"}"`
  })
  return flowSchema.parse({ ...flow, ...JSON.parse(parts), edges })
}

/** The turns of a chat that were stored, up to its end. */
function untilOver(steps: readonly (Turn | AppError)[]): Turn[] {
  const turns = steps.filter((step): step is Turn => !(step instanceof AppError))
  const end = turns.findIndex(isOver)
  return end < 0 ? turns : turns.slice(0, end + 1)
}

function visitsIn(turns: readonly Turn[]): Record<string, number> {
  const visits: Record<string, number> = {}
  for (const turn of turns) {
    for (const [, id] of turn.visits) visits[id] = (visits[id] ?? 0) + 1
  }
  return visits
}

/** Every label, and words that inputs take. */
function wordsOf(flow: Flow): Message[] {
  const labels = JSON.stringify(flow.groups).matchAll(/"(?:content|title|value)":"([^"{}]+)"/g)
  const known = ["a@b.co", "42", "https://e.com/a.png", "+33601020304", "2026-01-01", "10:30"]
  const texts = [...known, ...[...labels].map(([, label = ""]) => label)]
  const commands = (flow.events ?? []).flatMap((event) =>
    event.type === "command" ? (event.options?.command ?? []) : [],
  )
  return [
    ...texts.map((text): Message => ({ type: "text", text })),
    ...commands.map((command): Message => ({ type: "command", command })),
  ]
}

/** How often a client was asked each question, a repeated one once, and how often it was answered. */
function recount(chats: readonly (readonly Turn[])[]): Record<string, [number, number]> {
  const counts: Record<string, [shown: number, answered: number]> = {}
  const of = (id: string) => (counts[id] ??= [0, 0])
  for (const turns of chats) {
    const pending = new Set<string>()
    for (const turn of turns) {
      for (const { blockId } of turn.results.flatMap((record) => record.answers)) {
        of(blockId)[1] += 1
        pending.delete(blockId)
      }
      const id = turn.input?.id
      if (id === undefined || pending.has(id)) continue
      of(id)[0] += 1
      pending.add(id)
    }
  }
  return counts
}

describe("11.6 counts", () => {
  it("is what clients saw, in 1,000 chats of the bots in the fixtures", () => {
    const names = fixtureNames.filter((name) => !name.startsWith("v6.1-services"))
    let answered = 0
    for (const name of names) {
      const flow = readFixture(name).latest
      const words = wordsOf(flow)
      const tenWords = fc.array(fc.constantFrom(...words), { minLength: 10, maxLength: 10 })
      const chats = fc.sample(tenWords, Math.ceil(1_000 / names.length)).map((draws, chat) => {
        const opening = { resultId: `r${chat}` }
        const how = { kid: flow, messages: draws, isPreview: false, luck: chat, opening }
        return untilOver(converse(flow, how))
      })
      const counts = countsOf({ root: flow }, chats.flat()).get("root")
      const counted = Object.fromEntries(
        (counts?.inputs ?? [])
          .filter(({ shown }) => shown > 0)
          .map(({ blockId, shown, answered, skipped }) => [blockId, [shown, answered - skipped]]),
      )
      expect(counted, name).toEqual(recount(chats))
      for (const { answered: each } of counts?.inputs ?? []) answered += each
    }
    expect(answered).toBeGreaterThan(500)
  })

  it("include every visit of every block, in any flow", () => {
    const seen = { visits: 0, later: 0 }
    const chats = fc.record({
      flow: anyFlow,
      kid: anyFlow,
      other: anyFlow,
      messages: fc.array(anyMessage, { minLength: 12, maxLength: 12 }),
      fromOutside: fc.array(fc.option(anyFromOutside, { nil: undefined, freq: 3 })),
      luck: fc.nat({ max: 50 }),
      later: fc.constantFrom("none", "same", "other"),
    })
    fc.assert(
      fc.property(chats, ({ later, luck, messages, fromOutside, ...drawn }) => {
        const flow = withOwnEdges(drawn.flow, "e")
        const kid = withOwnEdges(drawn.kid, "e")
        const other = withOwnEdges(drawn.other, "e")
        const how = { kid, messages, fromOutside, isPreview: false, luck, world: testWorld() }
        const steps = converse(flow, how)
        const remembered = { variables: [], answers: [], counts: { answers: 9, steps: 99 } }
        // A result without stored rows cannot be continued.
        const isStored = steps.some((step) => !(step instanceof AppError))
        if (isStored && later === "same") {
          steps.push(...converse(flow, { ...how, opening: { remembered } }))
        } else if (isStored && later === "other") {
          const opening = { remembered: { ...remembered, version: "root" } }
          steps.push(...converse(other, { ...how, version: "other", opening }))
        }
        const turns = steps.filter((step): step is Turn => !(step instanceof AppError))
        const counts = countsOf({ root: flow, "version of kid": kid, other }, turns)
        // Blocks of the flows share their ids, so that nothing may be taken for another.
        const sums: Record<string, number> = {}
        for (const { visits } of counts.values()) {
          for (const [id, count] of visits) if (count) sums[id] = (sums[id] ?? 0) + count
        }
        expect(sums).toEqual(visitsIn(turns))
        seen.visits += turns.reduce((sum, turn) => sum + turn.visits.length, 0)
        if (later !== "none") seen.later += 1
      }),
      { numRuns: 150 },
    )
    expect(seen.visits).toBeGreaterThan(1_000)
    expect(seen.later).toBeGreaterThan(60)
  })

  it("include each passage of an edge", () => {
    const flow = bot(
      group("Loop", say("Hi"), ask.text({ id: "i", saves: "A", to: "Judge" })),
      group(
        "Judge",
        when([["A", "Equal to", "stop"]], { to: "End" }),
        say("Again", { to: "Loop" }),
      ),
      group("End", say("Bye")),
    )
    const stay = talk(flow).user("a").user("b").user("stop").bot("Bye").ends()
    const leave = talk(flow, { resultId: "0199aaaa-0000-7000-8000-00000000bbbb" }).user("a")
    const counts = countsOf({ root: flow }, [...stay.past, ...leave.past]).get("root")
    const edgeTo = (title: string) =>
      flow.edges.filter(({ to }) => to.groupId === groupIdOf(title)).map(({ id }) => id)
    const taken = (title: string) => edgeTo(title).map((id) => counts?.edges.get(id) ?? 0)
    expect(taken("Judge")).toEqual([4])
    expect(taken("End")).toEqual([1])
    expect(taken("Loop").toSorted()).toEqual([2, 3])
    expect(counts?.inputs).toEqual([
      { blockId: "i", groupId: groupIdOf("Loop"), shown: 5, answered: 4, skipped: 0 },
    ])
  })

  it("has the paths of silence and the ways on which a chat is led from outside", () => {
    const flow = bot(
      { events: [onIdle(60, "Remind")] },
      group("Order", ask.text({ id: "size" }), ask.text({ id: "name" })),
      group("Remind", say("Still there?"), ask.text({ id: "why" })),
      group("Help", say("How can I help?", { id: "hello" }), ask.text({ id: "help" })),
    )
    const toHelp = { continueAt: { groupId: groupIdOf("Help") } }
    const toName = { continueAt: { groupId: groupIdOf("Order"), blockId: "name" } }
    const chat = talk(flow).fallsSilent(60).user("No reason").user("L").steered(toName)
    chat.steered(toHelp).user("Thanks").ends()
    const counts = countsOf({ root: flow }, chat.past).get("root")
    const counted = counts?.inputs.map(({ blockId, shown, answered }) => [
      blockId,
      [shown, answered],
    ])
    expect(Object.fromEntries(counted ?? [])).toEqual(recount([chat.past]))
    expect(recount([chat.past])).toMatchObject({ size: [1, 1], why: [1, 1], name: [1, 0] })
    expect(counts?.visits.get("hello")).toBe(1)
    const idle = flow.events?.find(({ type }) => type === "idle")?.outgoingEdgeId
    expect(counts?.edges.get(idle ?? "")).toBe(1)
  })

  it("has no start of a chat that was led elsewhere before it began", () => {
    const flow = bot(
      group("Order", ask.text({ id: "size" })),
      group("Help", say("How can I help?"), ask.text({ id: "help" })),
    )
    const toHelp = { continueAt: { groupId: groupIdOf("Help") } }
    const chat = talk(flow, { isOnlyRegistering: true }).steered(toHelp).user("Thanks").ends()
    const counts = countsOf({ root: flow }, chat.past).get("root")
    expect(counts?.inputs).toMatchObject([
      { blockId: "size", shown: 0, answered: 0 },
      { blockId: "help", shown: 1, answered: 1 },
    ])
    expect(counts?.edges).toEqual(new Map())
  })

  it("is how often a cycle that asks nothing was walked", () => {
    const flow = bot(
      { variables: { N: "0" } },
      group("Count", set("N", "Number({{N}}) + 1", { isCode: false }), {
        ...when([["N", "Greater than", "3"]], { to: "End", otherwise: "Count" }),
      }),
      group("End", ask.text({ id: "i" })),
    )
    const chat = talk(flow).user("x")
    const counts = countsOf({ root: flow }, chat.past).get("root")
    expect([...(counts?.edges.values() ?? [])].toSorted()).toEqual([1, 1, 3])
  })
})

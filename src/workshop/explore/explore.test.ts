/** Exploring finds defects of a bot, each with a test that passes once it is fixed. */
import { describe, expect, it } from "vitest"
import { ask, block, bot, group, say, set, when } from "../../../test/support/bots.ts"
import { fixtureNames, readFixture } from "../../../test/support/fixtureBots.ts"
import { runScripts } from "../../../test/support/outside.ts"
import { plantedFaults } from "../../../test/support/plantedFaults.ts"
import { soundBots } from "../../../test/support/soundBots.ts"
import type { Flow } from "../../engine/bot.ts"
import { testFileSchema, testsIn } from "../files/testFileSchema.ts"
import type { RunScripts } from "../play/play.ts"
import { runTest } from "../runTest.ts"
import { usualClock } from "../testConversation.ts"
import { type ExploreFinding, explore } from "./explore.ts"

/** Scripts that loop for ever are stopped, as the sandbox does. */
const runAll: RunScripts = async (scripts) =>
  scripts.some(({ code }) => code.includes("while (true)"))
    ? scripts.map(() => ({ failed: true, description: "Timeout", reason: "timeout" }))
    : runScripts({ kind: "script", scripts: [...scripts] }).results

const exploreBot = (flow: Flow, more = {}) =>
  explore({ flow, runScripts: runAll, clock: usualClock, seed: 1, left: () => 1, ...more })

/** Runs the test of a finding, written to a file, against a bot. */
async function failureOf({ test }: ExploreFinding, flow: Flow) {
  const file = testFileSchema.parse(JSON.parse(JSON.stringify({ bot: "bot.json", ...test })))
  const [first] = testsIn(file, "finding")
  if (!first) throw new Error("no test")
  return (await runTest(first, { flow, runScripts: runAll })).failure
}

function linesOf(findings: readonly ExploreFinding[]): string[] {
  return findings.map(({ rule, place, message }) => `${rule} ${place}: ${message}`)
}

describe("a planted fault", () => {
  it.each(plantedFaults)("is found and shown: $what", async ({ rule, place, also, make }) => {
    const faulty = make(false)
    const { findings } = await exploreBot(faulty)
    const finding = findings.find((each) => each.rule === rule && place.test(each.place))
    if (!finding?.test) throw new Error(JSON.stringify(findings))
    expect(new Set(findings.map((each) => each.rule))).toEqual(new Set([rule, ...also]))
    for (const each of findings) expect(await failureOf(each, faulty)).toBeDefined()
    expect(await failureOf(finding, make(true))).toBeUndefined()
  })

  it.each(plantedFaults)("is not found once fixed: $what", async ({ make }) => {
    const { findings } = await exploreBot(make(true))
    expect(linesOf(findings)).toEqual([])
  })
})

/** Only some dates and phone numbers are tried. */
const mayMiss = /dates, phone numbers/

describe("a sound bot", () => {
  it.each(soundBots)("that %s has no finding", async (what, flow, linked) => {
    const { findings, coverage, left } = await exploreBot(flow, { linked })
    expect(linesOf(findings)).toEqual([])
    if (!mayMiss.test(what)) expect(coverage.groups.reached).toBe(coverage.groups.total)
    expect(left).toBeUndefined()
  })

  it("may ask with cards, which are chosen by their buttons", async () => {
    const card = (id: string, title: string, to: string) => ({
      id,
      title,
      paths: [{ id: `p${id}`, text: "Choose", to }],
    })
    const flow = bot(
      group(
        "Ask",
        ask.cards({
          items: [card("c1", "Red", "Warm"), card("c2", "Blue", "Cold")],
          saves: "Colour",
        }),
      ),
      group("Warm", say("Warm {{Colour}}")),
      group("Cold", say("Cold {{Colour}}")),
    )
    const { findings, coverage } = await exploreBot(flow)
    expect(linesOf(findings)).toEqual([])
    expect(coverage.missed).toEqual([])
  })

  it("reports parts that exploring cannot decide as unexplored", async () => {
    const request = {
      webhook: { url: "https://crm.example" },
      responseVariableMapping: [
        { id: "m", bodyPath: "data.items.filter((item) => item.isNew).length", variableId: "vNew" },
      ],
    }
    const counts = when([["New", "Equal to", "3"]], { to: "Three", otherwise: "Other" })
    const flow = bot(
      group("Ask", ask.text(), block("Webhook", request), counts),
      group("Three", say("Three")),
      group("Other", say("Some")),
    )
    const { findings, coverage } = await exploreBot(flow)
    expect(linesOf(findings)).toEqual([])
    expect(coverage.missed).toEqual(['Group "Three"', 'Group "Ask" › block 3 "Condition" › item 1'])
  })

  /** True findings in the fixtures, as described in their files. */
  const known: Record<string, string[]> = {
    // A link of the fixture v5-links enters it.
    "v5-linked": ['unreached-group Group "Other": No chat can reach this group'],
    "v5-quiz": [
      'dead-end Group "End" › block 3 "text": The chat ends because the edge leads nowhere',
    ],
    "v6-events": [
      'reply-refused Group "Ask" › block 1 "email input": ' +
        "The service refuses: The event for invalid replies leads nowhere",
      // One of its lists has an element without a value.
      'says-nothing Group "Ask" › block 2 "text": ' +
        'The chat shows "Thanks, ann@example.com; colours: [\\"red\\",null,\\"blue\\"]"',
    ],
  }

  it.each(fixtureNames)("among the fixtures has only true findings: %s", async (name) => {
    const linked = { kid: readFixture("v5-linked").latest }
    const { findings } = await exploreBot(readFixture(name).latest, { linked })
    expect(linesOf(findings)).toEqual(known[name] ?? [])
  })
})

/** A chat that counts its questions: no two places are alike. */
const counter = bot(
  { variables: { Count: "0" } },
  group(
    "Ask",
    ask.text(),
    set("Count", "", { type: "Append value(s)", item: "x" }),
    when([["Count", "Equal to", "x"]], { to: "Ask", otherwise: "Ask#b1" }),
  ),
)

describe("exploring a hostile bot", () => {
  it("is bounded in places, and reports it", async () => {
    const { places, left } = await exploreBot(counter, { bounds: { places: 20 } })
    expect(places).toBe(20)
    expect(left).toMatch(/out of memory/)
  })

  it("is bounded in the memory of waiting chats", async () => {
    const list = ask.choice(
      Array.from({ length: 20 }, (_, index) => `Choice ${index}`),
      { saves: "Which" },
    )
    const conditions = Array.from({ length: 20 }, (_, index) =>
      when([["Which", "Equal to", `Choice ${index}`]], { to: "Next" }),
    )
    const many = bot(
      group("Ask", list, ...conditions),
      group("Next", ask.text(), say("{{Which}}", { to: "Ask" })),
    )
    const { left } = await exploreBot(many, { bounds: { held: 5_000 } })
    expect(left).toMatch(/out of memory/)
  })

  it("is bounded in time, at any moment", async () => {
    for (const steps of [0, 1, 5, 20, 100]) {
      let asked = 0
      const left = () => 1 - ++asked / steps
      const exploration = await exploreBot(counter, { left })
      expect(exploration.left).toMatch(/out of time/)
      expect(asked).toBeLessThan(steps + 20)
    }
  })

  it("makes no tests of findings when the time is over", async () => {
    const loop = plantedFaults.find(({ rule }) => rule === "loop-without-input")?.make(false)
    if (!loop) throw new Error("no bot")
    let asked = 0
    const { findings } = await exploreBot(loop, { left: () => (++asked < 5 ? 1 : 0) })
    expect(findings.map(({ rule, test }) => [rule, test])).toEqual([
      ["loop-without-input", undefined],
    ])
  })

  it("is bounded for enormous patterns, paths and labels", async () => {
    const pattern = `${"(".repeat(90)}a{1000}${"){1000}".repeat(90)}`
    const path = `data${".a".repeat(20_000)}`
    const flow = bot(
      group(
        "Ask",
        block("Webhook", {
          webhook: { url: "https://crm.example" },
          responseVariableMapping: [{ id: "m", bodyPath: path, variableId: "vReply" }],
        }),
        ask.text({ saves: "Reply" }),
        when([["Reply", "Matches regex", pattern]], { to: "End" }),
        say("On"),
      ),
      group("End", say("x".repeat(10_000))),
    )
    expect(linesOf((await exploreBot(flow)).findings)).toEqual([])
  })

  it("is the same for the same seed", async () => {
    const flow = plantedFaults.findLast(({ rule }) => rule === "asked-again")?.make(false)
    if (!flow) throw new Error("no bot")
    expect(await exploreBot(flow)).toEqual(await exploreBot(flow))
  })
})

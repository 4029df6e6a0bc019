/** Exploring finds what is wrong with a bot, and shows it with a test that passes once it is mended. */
import { describe, expect, it } from "vitest"
import { runScripts } from "../../../test/support/outside.ts"
import { plantedFaults } from "../../../test/support/plantedFaults.ts"
import type { Flow } from "../../engine/bot.ts"
import { testFileSchema, testsIn } from "../files/schema.ts"
import type { RunScripts } from "../play/play.ts"
import { runTest, usualClock } from "../runTest.ts"
import { type ExploreFinding, explore } from "./explore.ts"

/** Scripts that loop for ever are stopped, as the sandbox does. */
const runAll: RunScripts = async (scripts) =>
  scripts.some(({ code }) => code.includes("while (true)"))
    ? scripts.map(() => ({ failed: true, description: "Timeout", reason: "timeout" }))
    : runScripts({ kind: "script", scripts: [...scripts] }).results

const exploreBot = (flow: Flow, bounds = {}) =>
  explore({ flow, runScripts: runAll, clock: usualClock, seed: 1, mayGoOn: () => true, bounds })

/** Runs the test of a finding against a bot, by way of its file. */
async function failureOf({ test }: ExploreFinding, flow: Flow) {
  const file = testFileSchema.parse(JSON.parse(JSON.stringify({ bot: "bot.json", ...test })))
  const [first] = testsIn(file, "finding")
  if (!first) throw new Error("no test")
  return (await runTest(first, { flow, runScripts: runAll })).failure
}

describe("a planted fault", () => {
  it.each(plantedFaults)("is found and shown: $what", async ({ rule, place, make }) => {
    const faulty = make(false)
    const { findings } = await exploreBot(faulty)
    const finding = findings.find((each) => each.rule === rule && place.test(each.place))
    if (!finding?.test) throw new Error(JSON.stringify(findings))
    expect(await failureOf(finding, faulty)).toBeDefined()
    expect(await failureOf(finding, make(true))).toBeUndefined()
  })

  it.each(plantedFaults)("is not found where it is mended: $what", async ({ make }) => {
    const { findings } = await exploreBot(make(true))
    expect(findings.map(({ rule, place, message }) => `${rule} ${place} ${message}`)).toEqual([])
  })
})

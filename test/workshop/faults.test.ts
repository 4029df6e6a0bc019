/**
 * Faults planted in every fixture: how many of them its tests, the linter and exploration find. A few by
 * default; BOT_FAULTS=200 plants as many in each, explores them too, and names those that nothing finds.
 */
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { lintFlow } from "../../src/authoring/lint/lint.ts"
import { readBotToTest, readTextFile } from "../../src/cli/testing/testFiles.ts"
import { openSandbox } from "../../src/effects/sandbox/sandbox.ts"
import type { Flow } from "../../src/engine/bot.ts"
import { explore } from "../../src/workshop/explore/explore.ts"
import type { RunScripts } from "../../src/workshop/play/play.ts"
import { createSuite } from "../../src/workshop/suite.ts"
import { usualClock } from "../../src/workshop/testConversation.ts"
import { createDice } from "../support/dice.ts"
import { fixtureNames } from "../support/fixtureBots.ts"
import { plantFault } from "../support/plantFault.ts"

const { BOT_FAULTS: wanted } = process.env
const faults = Number(wanted ?? 6)
/** Milliseconds to explore a bot: enough for each of the fixtures. */
const exploringMs = 2_000

const fixtures = join(import.meta.dirname, "../fixtures/bots")
const sandbox = openSandbox()
afterAll(() => sandbox.close())
const runScripts: RunScripts = (scripts, how) => sandbox.run(scripts, how)

type Way = "tests" | "lint" | "explore"
type Tally = { planted: number; survivors: string[] } & Record<Way, number>

const total: Tally = { planted: 0, tests: 0, lint: 0, explore: 0, survivors: [] }

describe("planted faults", () => {
  it.each(fixtureNames)("are found in %s", { timeout: 3_600_000 }, async (name) => {
    const path = join(fixtures, `${name}.json`)
    const flow = await readBotToTest(path)
    if (Array.isArray(flow)) throw new Error("The fixture is no bot")
    const sound = { lint: lintedIn(flow), explore: await exploredIn(flow) }
    expect(await failsTests(name, flow)).toBe(false)
    const dice = createDice(fixtureNames.indexOf(name) + 1)
    for (let planted = 0; planted < faults; planted++) {
      const fault = plantFault(flow, dice)
      if (!fault) throw new Error("There is nothing to break")
      const found: Record<Way, boolean> = {
        tests: await failsTests(name, fault.flow),
        lint: hasMore(lintedIn(fault.flow), sound.lint),
        explore: hasMore(await exploredIn(fault.flow), sound.explore),
      }
      total.planted += 1
      for (const way of ["tests", "lint", "explore"] as const) total[way] += Number(found[way])
      if (Object.values(found).some(Boolean)) continue
      total.survivors.push(`${name}: ${fault.kind}, ${fault.place}`)
    }
  })

  it("are found nearly all, and most by tests", () => {
    const { planted, tests, lint, explore, survivors } = total
    const listed = [...new Set(survivors)]
    if (wanted) {
      process.stdout.write(
        `${planted} faults; tests found ${tests}, the linter ${lint}, exploration ${explore}, ` +
          `nothing found ${survivors.length}:\n${listed.map((each) => `  ${each}\n`).join("")}`,
      )
    }
    expect(planted).toBe(faults * fixtureNames.length)
    expect(tests, listed.join("\n")).toBeGreaterThanOrEqual(0.9 * planted)
    expect(survivors.length, listed.join("\n")).toBeLessThanOrEqual(0.02 * planted)
  })
})

/** Whether a test of a fixture fails with this flow in its place. */
async function failsTests(name: string, flow: Flow): Promise<boolean> {
  const own = join(fixtures, `${name}.json`)
  const suite = createSuite({
    readText: readTextFile,
    readBot: async (path) => (path === own ? flow : await readBotToTest(path)),
    resolve: (testFile, bot) => join(testFile, "..", bot),
    runScripts,
  })
  const { tests, mistakes } = await suite.run(join(fixtures, "tests", `${name}.test.yaml`))
  expect(mistakes).toEqual([])
  return tests.some(({ failure }) => failure)
}

function lintedIn(flow: Flow): string[] {
  return lintFlow(flow).map(({ rule, message }) => `${rule} ${message}`)
}

/** What exploration finds; only when faults are planted in earnest, because each takes a while. */
async function exploredIn(flow: Flow): Promise<string[]> {
  if (!wanted) return []
  const end = performance.now() + exploringMs
  const left = () => (end - performance.now()) / exploringMs
  const { findings } = await explore({ flow, seed: 1, clock: usualClock, runScripts, left })
  return findings.map(({ rule, place }) => `${rule} ${place}`)
}

function hasMore(found: readonly string[], before: readonly string[]): boolean {
  return found.some((each) => !before.includes(each))
}

/** Every bot among the fixtures has tests of its own, as bots of authors have, and they reach it all. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { readStoredBot } from "../../src/cli/botFile.ts"
import { readBotToTest, readTextFile } from "../../src/cli/testing/testFiles.ts"
import { openSandbox } from "../../src/effects/sandbox/sandbox.ts"
import { explore } from "../../src/workshop/explore/explore.ts"
import { createSuite } from "../../src/workshop/suite.ts"
import { usualClock } from "../../src/workshop/testConversation.ts"
import { fixtureNames } from "../support/fixtureBots.ts"

const folder = join(import.meta.dirname, "../fixtures/bots/tests")
const checkout = join(import.meta.dirname, "../..")
const sandbox = openSandbox()
afterAll(() => sandbox.close())

/** Runs a file as the command does. Returns failures, and the coverage of its own bot. */
async function run(path: string) {
  const suite = createSuite({
    readText: readTextFile,
    readBot: readBotToTest,
    resolve: (testFile, bot) => join(testFile, "..", bot),
    runScripts: (scripts, how) => sandbox.run(scripts, how),
  })
  const { tests, mistakes } = await suite.run(path)
  const failures = tests.flatMap(({ name, failure, line }) =>
    failure ? [{ name, line, ...failure }] : [],
  )
  const [{ blocks = undefined, conditions = undefined, missed = [] } = {}] = suite.coverage()
  return { failures, mistakes, tests: tests.length, blocks, conditions, missed }
}

async function expectTested(path: string) {
  const { failures, mistakes, tests, blocks, conditions, missed } = await run(path)
  expect({ failures, mistakes }).toEqual({ failures: [], mistakes: [] })
  expect(tests).toBeGreaterThan(0)
  expect(blocks?.reached, missed.join()).toBeGreaterThanOrEqual(0.9 * (blocks?.total ?? 1))
  expect(conditions?.reached, missed.join()).toBe(conditions?.total)
}

describe("a fixture", () => {
  it.each(fixtureNames)("has tests that pass and reach its blocks: %s", async (name) => {
    await expectTested(join(folder, `${name}.test.yaml`))
  })
})

/** Bots that people really use lie beside the checkout, or nowhere. */
const real = join(checkout, "../shared/bots")

describe.runIf(existsSync(real))("a bot that people really use", () => {
  const names = readdirSync(join(folder, "real"))
  it.each(names)("has tests that pass and reach its blocks: %s", async (name) => {
    await expectTested(join(folder, "real", name))
  })

  const files = readdirSync(real).filter((name) => name.endsWith(".json"))
  it.each(files)("has no finding that is not true: %s", async (name) => {
    const { flow } = await readStoredBot(join(real, name))
    const parts = { clock: usualClock, runScripts: sandbox.run, seed: 1, left: () => 1 }
    const { findings } = await explore({ flow, ...parts })
    expect(findings.map(({ rule, place, message }) => `${rule} ${place}: ${message}`)).toEqual([])
  })
})

/** Bots as large as may be are checked, stored and published in slices: others get their turn. */
import { setImmediate as nextRound } from "node:timers/promises"
import { expect, test, vi } from "vitest"
import { largeBot } from "../../scripts/bench/largeBot.ts"
import { prepareBotInSteps } from "../../src/engine/bot.ts"
import { jsonPartsOf } from "../../src/engine/json.ts"
import { lintFlow } from "../../src/engine/lint/lint.ts"
import type { Steps } from "../../src/engine/steps.ts"
import { readImport, sentFlow } from "../../src/engine/upgrade/importedBot.ts"
import { readFlow } from "../../src/engine/upgrade/readFlow.ts"
import { inSlices, ownTurn } from "../../src/slices.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const { call } = await newUser(db, { defaultPlan: "PRO" })
const { workspace } = await call.workspace.create({ name: "W" })
const bot = JSON.parse(JSON.stringify(largeBot()))
const blockCount = 5_000

/**
 * In how many rounds of the event loop a piece of work does its steps, when every look at the clock
 * finds it a tenth of a millisecond later: the same on every machine. Rounds in which it waits for
 * something do not count.
 */
async function roundsOf(work: () => Promise<unknown>): Promise<number> {
  // What was done before has had its slice of this round by another clock.
  await nextRound()
  let [now, seen, rounds, isDone] = [0, 0, 0, false]
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 0.1
    return now
  })
  const look = () => {
    if (now > seen) rounds++
    seen = now
    if (!isDone) setImmediate(look)
  }
  setImmediate(look)
  await work().finally(() => clock.mockRestore())
  isDone = true
  return rounds
}

function countSteps(steps: Steps<unknown>): number {
  let count = 1
  while (!steps.next().done) count++
  return count
}

function* manySteps(count: number): Steps<number> {
  for (let step = 0; step < count; step++) yield
  return count
}

test("work in slices lets others have a round after every two milliseconds", async () => {
  expect(await roundsOf(() => inSlices(manySteps(1000)))).toBeGreaterThan(1000 / 25)
})

test("several pieces of work share the rounds instead of filling one together", async () => {
  const works = Array.from({ length: 4 }, () => manySteps(1000))
  const rounds = await roundsOf(() => Promise.all(works.map(inSlices)))
  expect(rounds).toBeGreaterThan(4 * (1000 / 25))
})

test("pieces of work that follow each other share the round that they begin in", async () => {
  const rounds = await roundsOf(async () => {
    for (let piece = 0; piece < 100; piece++) await inSlices(manySteps(10))
  })
  expect(rounds).toBeGreaterThan(1000 / 25)
})

test("who waits for a turn of its own has a round without another slice", async () => {
  const rounds = await roundsOf(async () => {
    for (let piece = 0; piece < 10; piece++) {
      await inSlices(manySteps(1))
      await ownTurn()
    }
  })
  expect(rounds).toBeGreaterThanOrEqual(10)
})

test("work in slices comes to its result, and to its error", async () => {
  expect((await inSlices(jsonPartsOf({ a: [1, { b: "x" }], c: undefined }))).join("")).toBe(
    '{"a":[1,{"b":"x"}]}',
  )
  const refused = inSlices(
    (function* (): Steps<void> {
      yield
      throw new Error("no")
    })(),
  )
  await expect(refused).rejects.toThrow("no")
})

test("reading, checking, preparing and writing a large bot takes a step for every block or less", () => {
  expect(countSteps(readImport(bot))).toBeGreaterThan(blockCount)
  const flow = sentFlow(bot)
  expect(countSteps(lintFlow(flow))).toBeGreaterThan(blockCount)
  expect(countSteps(readFlow(flow))).toBeGreaterThan(blockCount)
  expect(countSteps(prepareBotInSteps(flow, "version", "bot"))).toBeGreaterThan(blockCount)
})

test("others have many rounds while a large bot is imported, read, checked, changed and published", async () => {
  // A fifth of it is large enough.
  const part = { ...bot, groups: bot.groups.slice(0, 100) }
  const fewest = blockCount / 5 / 25
  let botId = ""
  const imported = await roundsOf(async () => {
    botId = (await call.bot.import({ workspaceId: workspace.id, bot: part })).bot.id
  })
  const read = await roundsOf(() => call.bot.get({ botId }))
  const renamed = await roundsOf(() => call.bot.update({ botId, bot: { name: "Large" } }))
  const checked = await roundsOf(() => call.bot.lint({ botId }))
  const changed = await roundsOf(() => call.bot.update({ botId, bot: { groups: part.groups } }))
  const published = await roundsOf(() => call.bot.publish({ botId }))
  // Stored bots are read with a step for each group and edge.
  const parts = part.groups.length + part.edges.length
  expect(read).toBeGreaterThan(parts / 25)
  expect(renamed).toBeGreaterThan(parts / 25)
  // Reading and writing have a step for each block; the rules look at blocks and texts over again.
  expect(imported).toBeGreaterThan(2 * fewest)
  expect(changed).toBeGreaterThan(2 * fewest)
  expect(checked).toBeGreaterThan(10 * fewest)
  expect(published).toBeGreaterThan(10 * fewest)
})

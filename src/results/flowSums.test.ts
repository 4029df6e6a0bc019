/** Versions may have nothing in common: their lists stay bounded together. */
import { expect, test } from "vitest"
import { ask, bot, group } from "../../test/support/bots.ts"
import { prepareBot } from "../engine/bot.ts"
import { createFlowSums } from "./flowSums.ts"

const perVersion = 5_000

/** A version with as many questions as there may be, each of them new. */
const version = (n: number) => {
  const questions = Array.from({ length: perVersion }, (_, at) => ask.text({ id: `${n} ${at}` }))
  return prepareBot(bot(group(`g${n}`, ...questions)), `v${n}`, "bot")
}

test("the questions of the oldest versions are omitted, and listed ones continue to count", () => {
  const sums = createFlowSums({ botId: "bot", open: new Map(), asked: new Set() })
  const recorded = { results: 1, answers: new Map(), marks: new Map() }
  for (let n = 0; n < 12; n++) sums.add({ id: `v${n}`, bot: version(n), recorded })
  sums.add({ id: "again", bot: version(0), recorded })
  const blocks = sums.blocks()
  expect(blocks).toHaveLength(50_000)
  expect(blocks[0]).toMatchObject({ blockId: "0 0", shown: 2 })
  expect(sums.edges().length).toBeLessThanOrEqual(50_000)
})

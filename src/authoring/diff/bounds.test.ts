/** The size of a diff is bounded for all names and texts. */
import { expect, test } from "vitest"
import { bot, group } from "../../../test/support/bots.ts"
import type { Flow } from "../../engine/bot.ts"
import { diffFlows } from "./diffFlows.ts"
import { diffMarkdown } from "./diffMarkdown.ts"

const longName = "n".repeat(1_000_000)

/** Blocks that mention a variable with an enormous name, in a group with an enormous title. */
function mentioning(variableId: string, options: object = {}): Flow {
  const blocks = Array.from({ length: 4_800 }, (_, n) => ({
    id: `b${n}`,
    type: "Set variable" as const,
    options: { variableId, expressionToEvaluate: "1", ...options },
  }))
  const flow = bot(group("A", ...(blocks as never[])))
  return {
    ...flow,
    groups: flow.groups.map((each) => ({ ...each, title: longName })),
    variables: ["one", "two"].map((id) => ({ id, name: `${id}${longName}` })),
  }
}

test("thousands of changes cut a name of a megabyte", () => {
  const changes = diffFlows(mentioning("one"), mentioning("two"))
  expect(changes).toHaveLength(4_800)
  expect(changes[0]).toMatchObject({ before: expect.stringMatching(/^\{\{onen+…\}\}$/) })
  expect(JSON.stringify(changes).length / changes.length).toBeLessThan(1_000)
  expect(diffMarkdown(changes).length / changes.length).toBeLessThan(1_000)
})

test("a long text is cut, its value whole", () => {
  const text = "x".repeat(50_000)
  const [change] = diffFlows(mentioning("one"), mentioning("one", { expressionToEvaluate: text }))
  expect(change).toMatchObject({ before: "1", value: text })
  expect(change?.after).toBe(`${"x".repeat(9_999)}…`)
})

test("flows that differ too much are refused before the whole answer is in memory", () => {
  const flows = [mentioning("one"), mentioning("two")] as const
  expect(diffFlows(...flows, 10_000_000)).toHaveLength(4_800)
  expect(() => diffFlows(...flows, 100_000)).toThrow(
    /differences exceed 100000 characters: compare versions/,
  )
})

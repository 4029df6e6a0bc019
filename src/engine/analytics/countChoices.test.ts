/** Answers with several choices are split into the chosen labels. */
import { expect, it } from "vitest"
import { ask } from "../../../test/support/bots.ts"
import { mentionLength } from "../../lib/cut.ts"
import type { Block } from "../blocks/registry.ts"
import { countChoices } from "./countChoices.ts"

const question = (isMultipleChoice: boolean) =>
  ({ id: "q", ...ask.choice(["Tea", "Tea, green", "Milk"], { isMultipleChoice }) }) as Block

it("counts each choice, most often chosen first", () => {
  const answers: [string, number][] = [
    ["Tea, green, Milk", 2],
    ["Tea, Milk", 1],
    ["Tea", 1],
  ]
  expect(countChoices(question(true), answers)).toEqual([
    { value: "Milk", count: 3 },
    { value: "Tea", count: 2 },
    { value: "Tea, green", count: 2 },
  ])
})

it("keeps text without a label unchanged, and a single choice whole", () => {
  expect(countChoices(question(true), [["Cocoa, Milk", 1]])).toEqual([
    { value: "Cocoa", count: 1 },
    { value: "Milk", count: 1 },
  ])
  expect(countChoices(question(false), [["Tea, Milk", 4]])).toEqual([
    { value: "Tea, Milk", count: 4 },
  ])
})

it("follows a tree instead of comparing labels, however many choices there are", () => {
  const labels = Array.from({ length: 5_000 }, (_, n) => `Choice, ${n}`)
  const block = { id: "q", ...ask.choice(labels, { isMultipleChoice: true }) } as Block
  // Comparing each part with each label took 80 ms per answer.
  const answers = Array.from({ length: 100 }, (_, n): [string, number] => [
    labels.slice(n, n + 1_000).join(", "),
    1,
  ])
  const counted = countChoices(block, answers)
  expect(counted[0]).toEqual({ value: "Choice, 100", count: 100 })
})

it("lists the thousand most frequent, long ones cut", () => {
  const answers = Array.from({ length: 3_000 }, (_, n): [string, number] => [
    `${n} ${"x".repeat(1_000)}`,
    n,
  ])
  const counted = countChoices(question(true), answers)
  expect(counted).toHaveLength(1_000)
  expect(counted[0]).toMatchObject({ value: expect.stringMatching(/^2999 x+…$/), count: 2_999 })
  expect(counted[0]?.value).toHaveLength(mentionLength)
})

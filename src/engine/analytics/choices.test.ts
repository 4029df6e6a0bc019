/** Answers with several choices are split into what was chosen. */
import { expect, it } from "vitest"
import { ask } from "../../../test/support/bots.ts"
import type { Block } from "../blocks/registry.ts"
import { countChoices } from "./choices.ts"

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

it("leaves what no label says as it was saved, and a single choice whole", () => {
  expect(countChoices(question(true), [["Cocoa, Milk", 1]])).toEqual([
    { value: "Cocoa", count: 1 },
    { value: "Milk", count: 1 },
  ])
  expect(countChoices(question(false), [["Tea, Milk", 4]])).toEqual([
    { value: "Tea, Milk", count: 4 },
  ])
})

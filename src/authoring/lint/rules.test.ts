/** Every rule, with bots that break it and bots that keep it. */
import { describe, expect, test } from "vitest"
import { blocks } from "../../../test/support/lint/blocks.ts"
import type { Example, Examples, Placed } from "../../../test/support/lint/examples.ts"
import { files } from "../../../test/support/lint/files.ts"
import { impossible } from "../../../test/support/lint/impossible.ts"
import { names } from "../../../test/support/lint/names.ts"
import { shapes } from "../../../test/support/lint/shapes.ts"
import { tools } from "../../../test/support/lint/tools.ts"
import { ways } from "../../../test/support/lint/ways.ts"
import { workspaceVariables } from "../../../test/support/lint/workspaceVariables.ts"
import { lintBot } from "./lint.ts"
import { rules } from "./rules.ts"

const examples: Record<string, Examples> = {
  ...shapes,
  ...ways,
  ...names,
  ...blocks,
  ...files,
  ...impossible,
  ...tools,
  ...workspaceVariables,
}

function isPlaced(example: Example): example is Placed {
  return typeof example === "object" && example !== null && "surroundings" in example
}

function brokenAt(rule: string, example: Example): string[] {
  const found = isPlaced(example) ? lintBot(example.flow, example.surroundings) : lintBot(example)
  return found.filter((finding) => finding.rule === rule).map(({ pointer }) => pointer)
}

describe.each(rules.map(({ id }) => id))("%s", (id) => {
  const { fails = [], passes = [] } = examples[id] ?? {}

  test.each(fails)("is broken %#", (example, ...pointers) => {
    expect(pointers.length).toBeGreaterThan(0)
    expect(brokenAt(id, example)).toEqual(pointers)
  })

  test("is kept", () => {
    expect(passes.length, "add a bot to test/support/lint that keeps the rule").toBeGreaterThan(0)
    expect(fails.length, "add a bot to test/support/lint that breaks it").toBeGreaterThan(0)
    for (const example of passes) expect(brokenAt(id, example)).toEqual([])
  })
})

test("rules have ids of their own, sentences and remedies", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length)
  for (const { id, description, remedy } of rules) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/)
    expect(description).toMatch(/^[A-Z].*\.$/s)
    expect(remedy).toMatch(/^[A-Z].*\.$/s)
  }
})

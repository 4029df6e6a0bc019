/** Titles of groups by models: the question, and the title in an answer. */
import { describe, expect, test } from "vitest"
import { ask, bot, group, say } from "../../../test/support/bots.ts"
import { isUntitled, titleIn, titleQuestion } from "./groupTitles.ts"

const questionAbout = (...blocks: Parameters<typeof group>[1][]) => {
  const flow = bot(group("Group #1", ...blocks))
  const [first] = flow.groups
  return first && titleQuestion(flow, first, undefined)
}

describe("a question", () => {
  test("has the blocks of the group in words, with the names of variables", () => {
    const [system, user] = questionAbout(say("Your e-mail?"), ask.email({ saves: "Mail" })) ?? []
    expect(system?.content).toContain("title of two to five words")
    expect(user?.content).toMatch(/^1\. text: Your e-mail\?\n2\. email input: .*\{\{Mail\}\}/)
  })

  test("has the prompt of the workspace instead of the usual one", () => {
    const flow = bot(group("Group #1", say("Hi")))
    const [first] = flow.groups
    const [system] = (first && titleQuestion(flow, first, " Be brief ")) ?? []
    expect(system?.content).toMatch(/^Be brief\n\nAnswer with the title alone/)
  })

  test("has no keys, and stays small for any group", () => {
    const key = `Bearer ${"a1".repeat(20)}`
    expect(questionAbout(say(key))?.[1]?.content).not.toContain("a1a1")
    const many = Array.from({ length: 500 }, () => say("x".repeat(10_000)))
    expect(String(questionAbout(...many)?.[1]?.content).length).toBeLessThan(15_000)
  })

  test("is not asked about a group without blocks", () => expect(questionAbout()).toBeUndefined())
})

test.each([
  ['{"title":"Ask for the e-mail"}', "Ask for the e-mail"],
  ["Ask for the e-mail", "Ask for the e-mail"],
  ['\n**"Ask for the e-mail".**\nBecause …', "Ask for the e-mail"],
  ["„Nach der E-Mail fragen“", "Nach der E-Mail fragen"],
  ['{"title":""}', undefined],
  ["…\n", undefined],
  ["a".repeat(100), `${"a".repeat(59)}…`],
])("the title in %j is %j", (answer, title) => {
  expect(titleIn(answer)).toBe(title)
})

test.each([
  ["", true],
  ["Group #3", true],
  ["Group 3", true],
  ["Contact", false],
  ["Group #3 b", false],
])("a group with the title %j is untitled: %j", (title, expected) => {
  expect(isUntitled({ id: "g", title, blocks: [], graphCoordinates: { x: 0, y: 0 } })).toBe(
    expected,
  )
})

/** Names of a megabyte, as bots of former versions may have them, wherever they are only mentioned. */
import { describe, expect, test } from "vitest"
import { lintBot } from "../../src/authoring/lint/lint.ts"
import { prepareBot } from "../../src/engine/bot.ts"
import { describeTrace } from "../../src/engine/recorded/describeTrace.ts"
import { inputName } from "../../src/engine/recorded/inputs.ts"
import { collectColumns } from "../../src/engine/recorded/resultColumns.ts"
import { mentionLength } from "../../src/lib/cut.ts"
import { ask, bot, group, groupIdOf, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const longName = "N".repeat(1_000_000)
const named = bot(group("A", say("Hi"), ask.text({ saves: "Name", id: "asks" }), say("{{Gone}}")))
const flow = {
  ...named,
  groups: named.groups.map((each) => ({ ...each, title: longName })),
  variables: named.variables.map((each) => ({ ...each, name: longName })),
}
const prepared = prepareBot(flow, "v", "b")
const variableId = flow.variables[0]?.id ?? ""

describe("a name is cut where it is mentioned", () => {
  test("in the trace of a turn", () => {
    const [first] = flow.groups[0]?.blocks ?? []
    const turn = {
      at: 0,
      version: "v",
      answers: [],
      passed: [first?.id ?? "", "asks"].map((blockId) => ({ blockId, isVisit: true })),
      changes: [{ blockId: "asks", variableId, value: "x" }],
      marks: [],
    }
    const listed = describeTrace(turn, new Map([["v", prepared]]), new Set([variableId]))
    expect(listed.blocks[0]?.groupTitle).toHaveLength(mentionLength)
    expect(listed.variables[0]?.name).toHaveLength(mentionLength)
  })

  test("beside an answer, and at the head of a column", () => {
    const { groupTitle, variableName } = inputName(prepared, "asks") ?? {}
    expect(groupTitle).toHaveLength(mentionLength)
    expect(variableName).toHaveLength(mentionLength)
    const columns = collectColumns()
    columns.add(prepared)
    const longest = Math.max(...columns.arranged(null).map(({ title }) => title.length))
    expect(longest).toBeLessThanOrEqual(2 * mentionLength + 2)
  })

  test("in the refusal of a variable, a place or a command that a chat does not have", () => {
    const chat = talk(bot(group("A", ask.text())))
    for (const refused of [
      () => chat.steered({ variables: { [longName]: "x" } }),
      () => chat.steered({ continueAt: { groupId: longName } }),
      () => chat.steered({ continueAt: { groupId: groupIdOf("A"), blockId: longName } }),
      () => chat.commands(longName),
    ]) {
      expect(refused).toThrow(new RegExp(`"N{${mentionLength - 1}}…"`))
    }
  })

  test("in findings of the linter", () => {
    const found = lintBot({ ...flow, variables: [...flow.variables, ...flow.variables] })
    expect(found.length).toBeGreaterThan(2)
    for (const { message, place, pointer } of found) {
      expect(Math.max(message.length, place.length, pointer.length)).toBeLessThanOrEqual(1_000)
    }
  })
})

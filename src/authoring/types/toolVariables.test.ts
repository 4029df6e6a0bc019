/** Which variables assistants set when they call a bot, and which of them they must. */
import { expect, test } from "vitest"
import { ask, block, bot, group, say, set, when } from "../../../test/support/bots.ts"
import { type Flow, prepareBot } from "../../engine/bot.ts"
import { toolVariables } from "./toolVariables.ts"

const required = (flow: Flow) =>
  Object.fromEntries(
    toolVariables(prepareBot(flow, "", "")).map((each) => [each.name, each.isRequired]),
  )

test("those are required that the flow reads, and neither sets nor gives a value", () => {
  const flow = bot(
    { variables: { Unused: null, Default: "x" } },
    group(
      "A",
      say("{{City}} {{Default}} {{Sum}} {{Name}} {{Scripted}}"),
      when([["Kind", "Equal to", "x"]]),
      set("Sum", "1 + {{Price}}"),
      ask.text({ saves: "Name" }),
      block("Code", { content: "setVariable('Scripted', 1)" }),
    ),
  )
  expect(required(flow)).toEqual({
    City: true,
    Kind: true,
    Price: true,
    Default: false,
    Name: false,
    Scripted: false,
    Sum: false,
    Unused: false,
  })
})

test("session variables, secrets and names that are too long are left out", () => {
  const names = ["apiKey", "API key", "Access token", "password", "x".repeat(101)]
  const flow = bot(
    {
      sessionVariables: ["Hidden"],
      variables: Object.fromEntries(names.map((name) => [name, null])),
    },
    group("A", say("{{Hidden}} {{Shown}}")),
  )
  expect(required(flow)).toEqual({ Shown: true })
})

test("of more than fifty the required ones stay", () => {
  const spare = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`S${index}`, null]))
  const found = required(bot({ variables: spare }, group("A", say("{{Last}}"))))
  expect(Object.keys(found)).toHaveLength(50)
  expect(found.Last).toBe(true)
})

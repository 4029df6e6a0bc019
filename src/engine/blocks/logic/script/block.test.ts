/** Script blocks. */
import { expect, test } from "vitest"
import { type BlockOf, testScene } from "../../../../../test/support/context.ts"
import { scriptBlock } from "./block.ts"

type ScriptBlock = BlockOf<typeof scriptBlock>

const context = testScene({ variables: { N: "Ann", A: "41" } })
const block = (options: ScriptBlock["options"]): ScriptBlock => ({ id: "s", type: "Code", options })

test("19.5 a script goes to the client by default, with the variables that it mentions", () => {
  expect(scriptBlock.run(block({ content: "alert({{N}})" }), context)).toEqual({
    act: [
      {
        type: "scriptToExecute",
        scriptToExecute: { content: "alert(vN)", args: [{ id: "vN", value: "Ann" }] },
      },
    ],
  })
  const unsafe = scriptBlock.run(block({ content: "x()", isUnsafe: true }), context)
  expect(unsafe.act).toEqual([
    { type: "scriptToExecute", scriptToExecute: { content: "x()", args: [], isUnsafe: true } },
  ])
})

test("19.5 a script without content does nothing", () => {
  expect(scriptBlock.run(block(undefined), context)).toEqual({})
  expect(scriptBlock.run(block({ content: " ", isExecutedOnClient: false }), context)).toEqual({})
})

test("19.5 a script of the service runs in the sandbox", () => {
  const content = "setVariable('A', {{A}} + 1)"
  expect(scriptBlock.run(block({ content, isExecutedOnClient: false }), context)).toEqual({
    next: {
      call: {
        kind: "script",
        scripts: [{ code: "setVariable('A', vA + 1)", globals: { vA: 41 }, mode: "program" }],
      },
    },
  })
})

test("19.5 a script sets variables by name; its own result and unknown names do not matter", () => {
  const results = [{ value: 5, assigned: { A: 42, Unknown: 1, toString: 2 } }]
  expect(scriptBlock.resume.script(block({}), { results }, context)).toEqual({
    set: [{ variableId: "vA", value: 42 }],
  })
  expect(scriptBlock.resume.script(block({}), { results: [{ value: 5 }] }, context)).toEqual({
    set: [],
  })
})

test("19.5 a script that fails leaves a log and the flow continues", () => {
  const results = [{ failed: true as const, description: "x is not defined" }]
  expect(scriptBlock.resume.script(block({}), { results }, context)).toEqual({
    log: [{ context: "While executing function", description: "x is not defined" }],
  })
})

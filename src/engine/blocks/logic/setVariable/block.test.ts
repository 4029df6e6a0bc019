/** Set variable blocks of every kind. */
import { runInNewContext } from "node:vm"
import { describe, expect, test } from "vitest"
import { type SceneParts, testScene } from "../../../../../test/support/context.ts"
import { AppError } from "../../../../lib/errors.ts"
import { isFailure, type Script, type ScriptOutcome } from "../../../calls.ts"
import { normalizeValue } from "../../../variables/variables.ts"
import { setVariableBlock } from "./block.ts"
import { type SetVariableBlock, type SetVariableOptions, valueTypes } from "./schema.ts"

const block = (options?: SetVariableOptions): SetVariableBlock => ({
  id: "s",
  type: "Set variable",
  ...(options ? { options } : {}),
})

const run = (options: SetVariableOptions, parts: SceneParts = {}) =>
  setVariableBlock.run(block({ variableId: "vV", ...options }), testScene(parts))

const stored = (value: unknown) => ({ set: [{ variableId: "vV", value }] })

function runScript({ code, globals }: Script): ScriptOutcome {
  try {
    return { value: runInNewContext(`(function () { ${code}\n})()`, { ...globals }) as unknown }
  } catch (error) {
    return { failed: true, description: String(error) }
  }
}

/** Runs the block to its end; returns whether the sandbox ran, and the stored values. */
function settle(options: SetVariableOptions, parts: SceneParts = {}) {
  const context = testScene(parts)
  const whole = block({ variableId: "vV", ...options })
  const first = setVariableBlock.run(whole, context)
  if (typeof first.next !== "object" || !("call" in first.next)) return { ran: false, step: first }
  const results = first.next.call.scripts.map(runScript)
  return { ran: true, step: setVariableBlock.resume.script(whole, { results }, context) }
}

describe("19.1 an expression", () => {
  const variables = {
    N: "Ann",
    Num: "41",
    Zip: "01234",
    L: ["a", "b"],
    X: undefined,
  }

  test.each<[string | undefined, unknown, boolean]>([
    ["42", "42", false],
    ["Hello {{N}}", "Hello Ann", false],
    ["{{Num}} + 1", "42", true],
    ["{{Zip}} + 1", "012341", true],
    ["{{N}}.toUpperCase()", "ANN", true],
    ['"{{N}}"', "vN", false],
    ["2024-01-01", "2022", true],
    ["007", "007", false],
    ["100200", "100200", false],
    ["9223372111111111111", "9223372111111111111", false],
    ["0.55", "0.55", false],
    ['{"a":1}', '{"a":1}', false],
    ['[{"a":1},2,null]', ['{"a":1}', "2", null], false],
    ['""', null, false],
    ["undefined", null, false],
    [undefined, null, false],
    ["C:\\dir", "C:\\dir", false],
    ["{{L}}", '["a","b"]', false],
    ['return {{L}}.concat("z")', ["a", "b", "z"], true],
    ["{{L}}.at(-1)", "b", true],
    ["{{X}}", null, false],
    ["{{X}} ?? 'none'", "none", true],
    ["{{N}} {{Num}}", "Ann 41", false],
    ["{{X}}.length", ".length", true],
    ["1,5", "5", true],
    ["if ({{Num}} > 40) { return 'old' }", "old", true],
    ["👋 {{N}}", "👋 Ann", false],
    ["{{=1=}}", "one", false],
  ])("%s stores %o", (expressionToEvaluate, value, ran) => {
    const settled = settle({ expressionToEvaluate }, { variables, inline: { "1": "one" } })
    expect(normalizeValue(settled.step.set?.[0]?.value)).toEqual(value)
    expect(settled.ran).toBe(ran)
    expect(settled.step.log).toBeUndefined()
  })

  test("that is meant as code is run even when it cannot, and its failure is kept", () => {
    const expressionToEvaluate = "Hello {{N}}"
    const options = { isCode: true, saveErrorInVariableId: "vE", expressionToEvaluate }
    const { ran, step } = settle(options, { variables })
    expect(ran).toBe(true)
    const description = step.log?.[0]?.description
    expect(description).toContain("SyntaxError")
    expect(step.set).toEqual([
      { variableId: "vV", value: "Hello Ann" },
      { variableId: "vE", value: description },
    ])
  })

  test("that fails without being meant as code leaves no trace but its text", () => {
    const outcome: ScriptOutcome = { failed: true, description: "boom" }
    expect(isFailure(outcome)).toBe(true)
    const options = { variableId: "vV", expressionToEvaluate: "f({{N}})" }
    expect(
      setVariableBlock.resume.script(
        block({ ...options, saveErrorInVariableId: "vE" }),
        { results: [outcome] },
        testScene({ variables }),
      ),
    ).toEqual({ set: [{ variableId: "vV", value: "f(Ann)" }] })
  })
})

describe("19.1 an expression for the client", () => {
  test("becomes an action that the chat waits for", () => {
    expect(run({ expressionToEvaluate: "location.href", isExecutedOnClient: true })).toEqual({
      act: [
        {
          type: "setVariable",
          setVariable: {
            scriptToExecute: { content: "location.href", args: [], isCode: false },
          },
        },
      ],
      next: "waitForClient",
    })
  })

  test("carries the variables that it mentions and its flags", () => {
    const options = { expressionToEvaluate: "{{N}} + 1", isExecutedOnClient: true }
    const step = run({ ...options, isCode: true, isUnsafe: true }, { variables: { N: "5" } })
    expect(step.act).toEqual([
      {
        type: "setVariable",
        setVariable: {
          scriptToExecute: {
            content: "vN + 1",
            args: [{ id: "vN", value: 5 }],
            isCode: true,
            isUnsafe: true,
          },
        },
      },
    ])
  })

  test("stores the client's report, as JSON where it is JSON", () => {
    const receive = (text: string) =>
      setVariableBlock.receive?.(block({ variableId: "vV" }), text, testScene())
    expect(receive('["x","y"]')).toEqual(stored(["x", "y"]))
    expect(receive("plain words")).toEqual(stored("plain words"))
    expect(setVariableBlock.receive?.(block(), "x", testScene())).toEqual({ set: [] })
  })

  test("stores a text that is not code with its values, which clients send back with ids", () => {
    const expressionToEvaluate = "Hello {{N}}"
    const set = block({ variableId: "vV", expressionToEvaluate, isExecutedOnClient: true })
    const context = testScene({ variables: { V: undefined, N: "Ann" } })
    expect(setVariableBlock.receive?.(set, "Hello vN", context)).toEqual(stored("Hello Ann"))
    expect(setVariableBlock.receive?.(set, "Hello you", context)).toEqual(stored("Hello you"))
  })

  test.each(["Moment of the day", "Device type"] as const)("is made for %s", (type) => {
    const step = run({ type })
    const action = step.act?.[0]
    const content = action?.type === "setVariable" ? action.setVariable.scriptToExecute.content : ""
    const navigator = { userAgent: "Mozilla/5.0 (iPhone; Mobile)", maxTouchPoints: 5 }
    const value: unknown = runInNewContext(`(function () { ${content} })()`, { navigator })
    expect(["morning", "afternoon", "evening", "mobile"]).toContain(value)
    expect(step.next).toBe("waitForClient")
  })
})

describe("19.1 a list", () => {
  const append = (item: string | undefined, V?: string | string[]) =>
    run({ type: "Append value(s)", item }, { variables: { V, N: "Ann", L: ["a", "b"] } })

  test("grows by one text", () => {
    expect(append("{{N}}")).toEqual(stored(["Ann"]))
    expect(append("new", "old")).toEqual(stored(["old", "new"]))
    expect(append("z", ["x", "y"])).toEqual(stored(["x", "y", "z"]))
    expect(append("{{L}}", ["x"])).toEqual(stored(["x", '["a","b"]']))
    expect(normalizeValue(append(undefined, ["x"]).set?.[0]?.value)).toEqual(["x", null])
  })

  const remove = (type: "Pop" | "Shift", V?: string | string[]) =>
    run({ type, saveItemInVariableId: "vItem" }, { variables: { V } }).set

  test("loses its last or its first element to another variable", () => {
    expect(remove("Pop", ["a", "b"])).toEqual([
      { variableId: "vV", value: ["a"] },
      { variableId: "vItem", value: "b" },
    ])
    expect(remove("Shift", ["a", "b"])).toEqual([
      { variableId: "vV", value: ["b"] },
      { variableId: "vItem", value: "a" },
    ])
    expect(remove("Pop", "alone")).toEqual([
      { variableId: "vV", value: [] },
      { variableId: "vItem", value: "alone" },
    ])
  })

  test("keeps the other variable when the list is empty", () => {
    expect(remove("Pop", [])).toEqual([{ variableId: "vV", value: [] }])
    expect(remove("Shift")).toEqual([{ variableId: "vV", value: null }])
  })

  test("gives the element that stands where another list has the item", () => {
    const mapListItemParams = {
      baseItemVariableId: "vItem",
      baseListVariableId: "vBase",
      targetListVariableId: "vTarget",
    }
    const look = (variables: SceneParts["variables"]) =>
      run({ type: "Map item with same index", mapListItemParams }, { variables })
    const Base = ["a", "b", "b"]
    expect(look({ Item: "b", Base, Target: ["1", "2", "3"] })).toEqual(stored("2"))
    expect(look({ Item: "b", Base, Target: ["1"] })).toEqual(stored(null))
    expect(look({ Item: "z", Base, Target: ["1"] })).toEqual(stored(null))
    expect(look({ Item: ["b"], Base, Target: ["1"] })).toEqual(stored(null))
    expect(run({ type: "Map item with same index" })).toEqual(stored(null))
  })
})

describe("19.1 a time", () => {
  test("is UTC with milliseconds where no zone is named", () => {
    expect(run({ type: "Now" })).toEqual(stored("2026-01-02T03:04:05.678Z"))
    expect(run({ type: "Today", timeZone: "Europe/Paris" })).toEqual(
      stored("2026-01-02T03:04:05.678Z"),
    )
    expect(run({ type: "Yesterday" })).toEqual(stored("2026-01-01T03:04:05.678Z"))
    expect(run({ type: "Tomorrow" })).toEqual(stored("2026-01-03T03:04:05.678Z"))
  })

  test("uses the named zone, also from a variable", () => {
    const parts = { variables: { Z: "Europe/Paris" } }
    expect(run({ type: "Now", timeZone: "{{Z}}" }, parts)).toEqual(
      stored("2026-01-02T04:04:05+01:00"),
    )
    expect(run({ type: "Now", timeZone: "{{Unset}}" }, parts)).toEqual(
      stored("2026-01-02T03:04:05.678Z"),
    )
  })

  test("stops the chat in an unknown zone", () => {
    expect(() => run({ type: "Tomorrow", timeZone: "Nowhere" })).toThrow(AppError)
  })
})

describe("19.1 a fact", () => {
  test("of the chat is stored", () => {
    expect(run({ type: "Empty" })).toEqual(stored(null))
    expect(run({ type: "Random ID" })).toEqual(stored("id1"))
    expect(run({ type: "Environment name" })).toEqual(stored("web"))
    expect(run({ type: "Result ID" }, { chat: { resultId: "r1" } })).toEqual(stored("r1"))
    expect(run({ type: "User ID" }, { chat: { resultId: "r1" } })).toEqual(stored("r1"))
  })

  test("of messaging channels is null", () => {
    for (const type of valueTypes.filter((name) => /Phone|Contact|Referral/.test(name))) {
      expect(run({ type })).toEqual(stored(null))
    }
  })

  test("of the transcript makes its variable a session variable", () => {
    expect(run({ type: "Transcript" }, { transcript: 'User: "hi"' })).toEqual({
      set: [{ variableId: "vV", value: 'User: "hi"', isPlain: true }],
      hide: ["vV"],
    })
    expect(setVariableBlock.wantsHistory?.(block({ type: "Transcript", variableId: "v" }))).toBe(
      true,
    )
    expect(setVariableBlock.wantsHistory?.(block({ type: "Now", variableId: "v" }))).toBe(false)
  })

  test("makes a random result id in a preview", () => {
    const context = testScene()
    const { resultId: _live, ...chat } = context.chat
    const preview = { ...context, chat: { ...chat, isPreview: true } }
    expect(setVariableBlock.run(block({ type: "Result ID", variableId: "vV" }), preview)).toEqual(
      stored("id1"),
    )
  })
})

test("19.1 a block without a variable does nothing", () => {
  expect(setVariableBlock.run(block(), testScene())).toEqual({})
  expect(setVariableBlock.run(block({ expressionToEvaluate: "1" }), testScene())).toEqual({})
})

/** Stored form of values, and the variables of a running chat. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { unmetered } from "../budget/fuel.ts"
import type { Variable } from "../schema/variable.ts"
import { createVariables, initialValues, normalizeValue } from "./variables.ts"

describe("7.1 the stored form of a value", () => {
  test.each<[unknown, unknown]>([
    ["text", "text"],
    ["", null],
    [null, null],
    [undefined, null],
    [42, "42"],
    [true, "true"],
    [{ a: 1 }, '{"a":1}'],
    [10n, null],
    [() => 1, null],
    [[], []],
    [
      [{ a: 1 }, 2, null, "", ["x"]],
      ['{"a":1}', "2", null, null, '["x"]'],
    ],
  ])("of %o is %o", (value, stored) => {
    expect(normalizeValue(value)).toEqual(stored)
  })

  test("is the text as sent, backslashes and quotes included", () => {
    const pieces = fc.constantFrom("\\", "\\\\", "\\n", "\\u00", '"', "'", "n", "a", "\n", "👋")
    const text = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((all) => all.join(""))
    fc.assert(
      fc.property(text, (value) => {
        expect(normalizeValue(value)).toBe(value)
        expect(normalizeValue([value])).toEqual([value])
      }),
    )
  })

  test("contains no lone surrogates and no NUL", () => {
    expect(normalizeValue("a\ud800b\0c 👋")).toBe("a\ufffdbc 👋")
  })
})

const definitions: Variable[] = [
  { id: "a", name: "A", value: "default" },
  { id: "b", name: "B" },
  { id: "a2", name: "A" },
]

describe("the variables of a chat", () => {
  test("start with the values given, not with those of the definitions", () => {
    expect(createVariables(definitions, [], unmetered()).value("a")).toBeUndefined()
    expect(createVariables(definitions, initialValues(definitions), unmetered()).value("a")).toBe(
      "default",
    )
  })

  test("7.2 have their definitions' values brought into stored form once", () => {
    let reads = 0
    const long: Variable = {
      id: "l",
      name: "L",
      get value() {
        reads += 1
        return ["1", "2"]
      },
    }
    const own = [long]
    expect(initialValues(own)).toEqual([["l", ["1", "2"]]])
    expect(initialValues(own)).toBe(initialValues(own))
    expect(reads).toBe(1)
  })

  test("7.2 are found by exact name, the first of several namesakes", () => {
    const variables = createVariables(definitions, [["a2", "second"]], unmetered())
    expect(variables.named("A")).toEqual({ id: "a", name: "A" })
    expect(variables.named("a")).toBeUndefined()
    expect(variables.named(" A")).toBeUndefined()
  })

  test("normalise values and return the stored ones", () => {
    const variables = createVariables(definitions, [["a", "x"]], unmetered())
    const stored = variables.set([
      { variableId: "b", value: [1, ""] },
      { variableId: "b", value: "later" },
      { variableId: "unknown", value: "y" },
      { variableId: "a", value: "" },
    ])
    expect(stored).toEqual([
      { variableId: "b", value: ["1", null] },
      { variableId: "a", value: null },
    ])
    expect(variables.value("a")).toBeUndefined()
    expect(variables.definition("b")).toEqual({ id: "b", name: "B", value: ["1", null] })
  })

  test("list the last changed one last and survive being stored", () => {
    const variables = createVariables(
      definitions,
      [
        ["a", "1"],
        ["b", "2"],
      ],
      unmetered(),
    )
    variables.set([{ variableId: "a", value: "3" }])
    expect(variables.list().map(({ id }) => id)).toEqual(["a2", "b", "a"])
    expect(variables.entries()).toEqual([
      ["b", "2"],
      ["a", "3"],
    ])
    expect(createVariables(definitions, variables.entries(), unmetered()).list()).toEqual(
      variables.list(),
    )
  })

  test("adopt a variable of another bot once", () => {
    const variables = createVariables(definitions, [["a", "own"]], unmetered())
    variables.adopt({ id: "n", name: "New", value: "fresh" }, false)
    variables.adopt({ id: "a", name: "Other", value: "stolen" }, false)
    expect(variables.named("New")?.value).toBe("fresh")
    expect(variables.value("a")).toBe("own")
    variables.set([{ variableId: "n", value: "changed" }])
    expect(variables.entries()).toContainEqual(["n", "changed"])
  })
})

/** Every operator over texts, lists and unset values. */
import { describe, expect, it } from "vitest"
import { testScope } from "../../test/support/context.ts"
import { unmetered } from "./budget/fuel.ts"
import { holds } from "./conditions.ts"
import { readRegex } from "./regex/readRegex.ts"
import type { ComparisonOperator, Condition } from "./schema/condition.ts"
import type { VariableValue } from "./schema/variable.ts"

type Row = [
  input: VariableValue | undefined,
  operator: ComparisonOperator,
  value: string | undefined,
  expected: boolean,
]

const others = { List: ["x", "y"], Empty: [], Unset: undefined, Text: "Ann", Two: "2" }

const isSafe = (pattern: string) => readRegex(pattern, unmetered()) !== undefined

function verdict([input, comparisonOperator, value]: Row): boolean {
  const comparisons = [{ id: "1", variableId: "vA", comparisonOperator, value }]
  return holds({ comparisons }, testScope({ variables: { A: input, ...others } }))
}

function table(rows: Row[]): void {
  it.each(
    rows.map((row) => [JSON.stringify(row.slice(0, 3)), row[3], row] as const),
  )("evaluates %s as %s", (_, expected, row) => expect(verdict(row)).toBe(expected))
}

describe("9.3 equality", () => {
  table([
    ["x", "Equal to", "x", true],
    ["x", "Equal to", "X", false],
    ["x ", "Equal to", "x", false],
    ["e\u0301", "Equal to", "é", true],
    [undefined, "Equal to", "", false],
    [undefined, "Equal to", undefined, false],
    [undefined, "Equal to", "undefined", true],
    [null, "Equal to", "null", true],
    ["x", "Equal to", "null", false],
    [undefined, "Not equal", "", true],
    ["x", "Not equal", "x", false],
    ["x", "Not equal", "undefined", true],
    [[], "Equal to", "x", true],
    [["x", "y"], "Equal to", "x", false],
    [["x", "x"], "Equal to", "x", true],
    [["x", null], "Not equal", "y", true],
    [["x", "y"], "Not equal", "x", false],
    ["x", "Equal to", "{{List}}", false],
    ["x", "Equal to", "{{Empty}}", true],
    ["z", "Not equal", "{{List}}", true],
    [undefined, "Equal to", "{{Unset}}", false],
    ["Ann", "Equal to", "{{Text}}", true],
    ["Hi Ann", "Equal to", "Hi {{Text}}", true],
    ['["x","y"] ', "Equal to", "{{List}} ", true],
  ])
})

describe("9.4 containing", () => {
  table([
    ["Hello World", "Contains", " world ", true],
    ["Hello", "Contains", "", false],
    [undefined, "Contains", "a", false],
    ["e\u0301te\u0301", "Contains", "É", true],
    [["xx"], "Contains", "x", false],
    [["a", "x"], "Contains", "x", true],
    [["X"], "Contains", "x", false],
    [[], "Contains", "x", false],
    ["say y", "Contains", "{{List}}", true],
    [["q", "y"], "Contains", "{{List}}", true],
    ["Hello", "Does not contain", "hell", false],
    ["Hello", "Does not contain", "", true],
    [undefined, "Does not contain", "a", true],
    [["xx"], "Does not contain", "x", true],
    [["a", "x"], "Does not contain", "x", false],
    [[], "Does not contain", "x", true],
  ])
})

describe("9.5 size", () => {
  table([
    ["abc", "Greater than", "2", true],
    ["1,000", "Greater than", "500", false],
    ["10", "Greater than", "9", true],
    ["-1", "Less than", "", true],
    ["+33601020304", "Greater than", "12", false],
    ["+33601020304", "Greater or equal to", "12", true],
    ["2024-01-10", "Less than", "2024-02-01", true],
    ["2024-01-10", "Greater than", "2024-02-01", false],
    ["2", "Less or equal to", "{{Two}}", true],
    ["3", "Less or equal to", "{{Two}}", false],
    [undefined, "Less than", "1", false],
    ["1", "Greater or equal to", "null", false],
    [["a", "b"], "Greater than", "1", true],
    [["a", "b"], "Greater than", "word", false],
    ["3", "Greater than", "{{List}}", true],
    [["a", "b"], "Greater or equal to", "{{List}}", true],
  ])
})

describe("9.6 presence", () => {
  table([
    ["x", "Is set", undefined, true],
    [["x"], "Is set", undefined, true],
    [[], "Is set", undefined, false],
    [undefined, "Is set", undefined, false],
    [null, "Is empty", undefined, true],
    [[], "Is empty", undefined, true],
    ["", "Is empty", undefined, true],
    ["x", "Is empty", undefined, false],
  ])
})

describe("9.7 beginning and end", () => {
  table([
    ["Hello", "Starts with", " HE", true],
    ["Hello", "Starts with", "lo", false],
    ["Hello", "Starts with", "", false],
    ["Hello ", "Ends with", "LO", true],
    [undefined, "Ends with", "lo", false],
    [["ab", "ac"], "Starts with", "a", true],
    [["ab", "bc"], "Starts with", "a", false],
    [["ab", null], "Ends with", "b", false],
  ])
})

describe("9.8 regular expressions", () => {
  table([
    ["abc", "Matches regex", "^a", true],
    ["abc", "Matches regex", "/^A/i", true],
    ["abc", "Matches regex", "/^A/", false],
    ["abab", "Matches regex", "/b/g", true],
    ["abc", "Matches regex", "(", false],
    ["aa", "Matches regex", "(a)\\1", false],
    ["abc", "Matches regex", "", false],
    [undefined, "Matches regex", ".*", false],
    [["b", "ab"], "Matches regex", "^a", true],
    [["b", null], "Matches regex", "^a", false],
    ["Ann B", "Matches regex", "^{{Text}}\\b", true],
    ["x", "Does not match regex", "/^a/", true],
    ["abc", "Does not match regex", "/^a/", false],
    [undefined, "Does not match regex", "/^x/", false],
    ["abc", "Does not match regex", "", false],
    ["abc", "Does not match regex", "(", true],
    [["b", "ab"], "Does not match regex", "^a", false],
    [["b", "c"], "Does not match regex", "^a", true],
  ])

  it("gives the same answer for repeated uses of a global pattern", () => {
    const row: Row = ["ab", "Matches regex", "/b/g", true]
    expect([verdict(row), verdict(row), verdict(row)]).toEqual([true, true, true])
  })

  it("reports which patterns can be evaluated", () => {
    expect(["(a+)+$", "/^(?=.*\\d)\\w+$/i", "a|b"].map(isSafe)).toEqual([true, true, true])
    expect(["(", "(a)\\1", "(?:a{99}){99}"].map(isSafe)).toEqual([false, false, false])
  })
})

describe("9.1 holds", () => {
  const yes = { id: "1", variableId: "vA", comparisonOperator: "Is set" } as const
  const no = { id: "2", variableId: "vA", comparisonOperator: "Is empty" } as const
  const scope = testScope({ variables: { A: "x" } })

  it.each<[string, Condition | undefined, boolean]>([
    ["no condition", undefined, false],
    ["no list of comparisons", {}, false],
    ["no comparisons", { comparisons: [] }, false],
    ["all by default", { comparisons: [yes, no] }, false],
    ["all", { logicalOperator: "AND", comparisons: [yes, yes] }, true],
    ["any", { logicalOperator: "OR", comparisons: [no, yes] }, true],
    ["none", { logicalOperator: "OR", comparisons: [no, no] }, false],
    ["no variable", { comparisons: [{ id: "1", comparisonOperator: "Is empty" }] }, false],
    ["no operator", { comparisons: [{ id: "1", variableId: "vA" }] }, false],
  ])("joins comparisons: %s", (_, condition, expected) => {
    expect(holds(condition, scope)).toBe(expected)
  })

  it("reads an unknown variable as unset", () => {
    const unknown = { id: "1", variableId: "gone", comparisonOperator: "Is empty" } as const
    expect(holds({ comparisons: [unknown] }, scope)).toBe(true)
  })
})

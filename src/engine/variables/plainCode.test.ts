/** Conclusions about code without running it must match its execution. */
import { runInNewContext } from "node:vm"
import { describe, expect, test } from "vitest"
import { cannotRun, literalOf } from "./plainCode.ts"

const globals = { vN: "Ann", vX: 41 }
const run = (code: string): unknown =>
  runInNewContext(`(function () { ${code.includes("return ") ? code : `return ${code}`}\n})()`, {
    ...globals,
  })

describe("8.2 a literal", () => {
  test.each([
    "42",
    "-3.50",
    "0",
    '"plain"',
    "'it is'",
    '{"a":1}',
    '[{"a":1},2,null]',
    "true",
    "null",
    "undefined",
    " 7 ",
  ])("%s has the same value as by execution", (code) => {
    const literal = literalOf(code)
    expect(literal).toBeDefined()
    expect(JSON.stringify(literal?.value)).toBe(JSON.stringify(run(code)))
  })

  test.each([
    "010",
    "1 + 1",
    '"a" + "b"',
    '"a\\n"',
    '"return me"',
    '{"__proto__":{"a":1}}',
    "{a:1}",
    "1,5",
    "2024-01-01",
  ])("is not detected in %s", (code) => {
    expect(literalOf(code)).toBeUndefined()
  })
})

describe("8.2 a text that cannot run", () => {
  test.each([
    "Hello vN",
    "Hello, vN!",
    "vN vX",
    "vN is here",
    "5 apples",
    "Date today",
    "premium",
    "Ça va",
    "👋 vN",
    "https://e.com/vX",
    "+33 6 12",
    "it's",
    "(see above) and more words",
  ])("%s throws when run", (code) => {
    expect(cannotRun(code, globals)).toBe(true)
    expect(() => run(code)).toThrow()
  })

  test.each([
    "vX + 1",
    "vN",
    "Math.max(1, 2)",
    "toString()",
    "a = 5",
    "a => 1",
    "a /**/ = 5",
    "foo(); function foo() {}",
    "typeof foo",
    "new Date()",
    "(1 + 1)",
    "`x`",
    "x; var x; return 1",
    "async x => x",
    "2024-01-01",
    "vN in {Ann: 1}",
    "'a'",
    "[1].map(x => x)",
    "null",
    "undefined",
    "",
  ])("is not detected in %s, which runs", (code) => {
    expect(cannotRun(code, globals)).toBe(false)
    expect(() => run(code)).not.toThrow()
  })

  test("never begins with a name of the language", () => {
    const names: string[] = runInNewContext("Object.getOwnPropertyNames(globalThis)")
    for (const name of names) expect(cannotRun(name, {})).toBe(false)
  })
})

/** Static checks of code. */
import { describe, expect, test } from "vitest"
import { syntaxError, unknownNames } from "./codeParts.ts"

const known = new Set(["vName"])

describe("code", () => {
  test.each([
    "return (1",
    "const 1a = 2",
    "return await x",
    "}{",
    "Hello you",
  ])("that does not parse: %s", (code) => {
    expect(syntaxError(code, "expression")).toBeDefined()
  })

  test.each([
    "return 1",
    "if (vName) return vName",
    "const a = () => 1\nreturn a()",
    "",
  ])("that parses: %s", (code) => {
    expect(syntaxError(code, "expression")).toBeUndefined()
  })

  test("may await only in a program", () => {
    expect(syntaxError("return await fetch('x')", "program")).toBeUndefined()
    expect(syntaxError("return await fetch('x')", "expression")).toBeDefined()
  })

  test("is never run", () => {
    syntaxError("}; globalThis.wasRun = 1; { //", "program")
    syntaxError("globalThis.wasRun = 1", "expression")
    expect("wasRun" in globalThis).toBe(false)
  })
})

describe("names that do not exist", () => {
  test.each([
    ["return capitalise(vName)", ["capitalise"]],
    ["return vName ? first : second", ["first", "second"]],
    ["return new Moment().format()", ["Moment"]],
    ["return `Hi $" + "{nick} nick`", ["nick"]],
    ["return { name: nick, ...others }", ["nick", "others"]],
    ["document.title = 'x'", ["document"]],
    ["return /nick/.test(nick) // nick", ["nick"]],
  ])("are found in %s", (code, names) => {
    expect(unknownNames(code, "program", known)).toEqual(names)
  })

  test.each([
    "return vName.first.second?.third",
    "const nick = vName; return nick",
    "let [a, { b: c = 1 }] = vName; return [a, c]",
    "function twice(x) { return x * 2 } return twice(1)",
    "return [1].map((each, index) => each + index).map(one => one)",
    "class Point { x = 1; size() { return this.x } get y() { return 1 } } return new Point()",
    "return { nick: 1, size() { return 2 } }",
    "for (const each of [1]) { outer: for (;;) break outer }",
    "total = 1; return total",
    "return 'nick' + \"name\" + `text $" + "{1} more`  // comment",
    "/* nick */ return /nick(?<name>x)/u.exec(vName)?.groups.name",
    "return typeof moment === 'undefined' ? 1 : moment()",
    "try { return moment() } catch { return 1 }",
    "catchAll = (...rest) => rest; return catchAll(1)",
    "return Math.max(Number(vName), parseInt('1'), new Date(), NaN, undefined)",
    `return ${"someName + ".repeat(60)}1`,
    "return (1",
  ])("are none in %s", (code) => {
    expect(unknownNames(code, "program", known)).toEqual([])
  })
})

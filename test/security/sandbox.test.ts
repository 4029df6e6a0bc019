/** Tests what scripts of authors return, and what they cannot reach. */
import { describe, expect, it } from "vitest"
import type { RunOptions } from "../../src/effects/sandbox/sandbox.ts"
import { expression, sandboxScene, script } from "./sandboxScene.ts"

const { sandbox, run, failureOf } = sandboxScene()

describe("values", () => {
  it.each([
    ["1 + 1", { value: 2 }],
    ["null", { value: null }],
    ["undefined", {}],
    ["0/0", { value: "null" }],
    ["-1/0", { value: "null" }],
    ["[0/0]", { value: [null] }],
    ["'é😀'", { value: "é😀" }],
    ["10n", { value: "10" }],
    ["[1, 'a', null, [true]]", { value: [1, "a", null, [true]] }],
    ["({ a: { b: undefined, c: 1 } })", { value: { a: { c: 1 } } }],
    ["new Date(0)", { value: "1970-01-01T00:00:00.000Z" }],
    ["() => 1", {}],
    ["[3, 1, 2].toSorted().with(0, 9)", { value: [9, 2, 3] }],
    ["Object.groupBy([1, 2, 3], (n) => n % 2)", { value: { 0: [2], 1: [1, 3] } }],
  ])("gives the JSON of %s", async (code, outcome) => {
    expect(await run(expression(code))).toEqual(outcome)
  })

  it("sees its globals with their types, and changes nothing outside", async () => {
    const globals = { list: ["a", null], age: 42, ok: true, none: null }
    const code = "list.push('b'); return [list, age + 1, !ok, none]"
    expect(await run(script(code, globals))).toEqual({ value: [["a", null, "b"], 43, false, null] })
    expect(globals.list).toEqual(["a", null])
  })

  it("gives the outcomes of one call in order, and a failure to the failing one alone", async () => {
    const outcomes = await sandbox.run([expression("1"), expression("a.b"), expression("3")])
    expect(outcomes).toMatchObject([{ value: 1 }, { failed: true }, { value: 3 }])
  })

  it("speaks languages and time zones", async () => {
    const day = "new Date(0).toLocaleDateString('pt-BR', { timeZone: 'UTC', dateStyle: 'long' })"
    expect(await run(expression(day))).toEqual({ value: "1 de janeiro de 1970" })
    expect(await run(expression("(1234.5).toLocaleString('de-DE')"))).toEqual({ value: "1.234,5" })
    const sorted = "['b', 'é', 'a', 'f'].sort((a, b) => a.localeCompare(b))"
    expect(await run(expression(sorted))).toEqual({ value: ["a", "b", "é", "f"] })
    const wrong = "new Intl.DateTimeFormat('en', { timeZone: 'Nowhere/Land' })"
    expect(await failureOf(expression(wrong))).toContain("RangeError")
  })
})

describe("programs", () => {
  it("await, return, and assign variables, the last assignment of a name winning", async () => {
    const code = `
      setVariable("A", 1); setVariable("A", [1, null]); setVariable("__proto__", "x")
      setVariable("B"); console.log("nothing")
      return await Promise.resolve(5)`
    expect(await run(script(code))).toEqual({
      value: 5,
      assigned: JSON.parse('{"A":[1,null],"__proto__":"x","B":null}'),
    })
  })

  it("run as sloppy functions, in which an undeclared name can be assigned", async () => {
    expect(await run(script("total = 2; return this.total"))).toEqual({ value: 2 })
  })

  it("name the line of the author's code that failed", async () => {
    expect(await failureOf(script("\n\nreturn missing"))).toMatch(/missing.*\(line 3\)$/)
    expect(await failureOf(script("let a = 1\nreturn a +"))).toMatch(/^SyntaxError.*\(line 2\)$/)
    expect(await failureOf(script("throw new Error('Sold out')"))).toBe("Error: Sold out (line 1)")
    expect(await failureOf(script("await null\nthrow 'Sold out'"))).toBe("Sold out")
  })

  it("fail when they wait for what never happens", async () => {
    expect(await failureOf(script("await new Promise(() => {})"))).toContain("never happens")
  })

  it("get the text of what they fetch", async () => {
    const fetch: RunOptions["fetch"] = async (request) => JSON.stringify(request)
    const code = `
      const [a, b] = await Promise.all([
        fetch("https://a.test"),
        fetch("https://b.test", { method: "POST", headers: { "X-A": 1 }, body: "z" }),
      ])
      return [typeof a, JSON.parse(a), JSON.parse(b)]`
    expect(await run(script(code), { fetch })).toEqual({
      value: [
        "string",
        { url: "https://a.test", headers: [] },
        { url: "https://b.test", method: "POST", headers: [["X-A", "1"]], body: "z" },
      ],
    })
  })

  it("send what they do not wait for, and hear of it before they end", async () => {
    const sent: string[] = []
    const fetch: RunOptions["fetch"] = async ({ url }) => {
      sent.push(url)
      return "later"
    }
    const code = `fetch("https://a.test").then((text) => setVariable("A", text)); return 1`
    expect(await run(script(code), { fetch })).toEqual({ value: 1, assigned: { A: "later" } })
    expect(sent).toEqual(["https://a.test"])
  })

  it("can catch a refused request", async () => {
    const code = "try { await fetch('https://a.test') } catch (error) { return error.message }"
    const fetch: RunOptions["fetch"] = async () => ({ failed: true, description: "Not this one" })
    expect(await run(script(code), { fetch })).toEqual({ value: "Not this one" })
    expect(await run(script(code))).toEqual({ value: "Requests are not allowed here" })
  })

  it("have no fetch unless they write its name, so that no use of it goes unnoticed", async () => {
    const fetch: RunOptions["fetch"] = async () => "reached"
    const code = "return typeof globalThis['fe' + 'tch']"
    expect(await run(script(code), { fetch })).toEqual({ value: "undefined" })
    expect(await failureOf(script("return f\\u0065tch('https://a.test')"), { fetch })).toContain(
      "not defined",
    )
  })

  it("end when their turn does", async () => {
    const signal = AbortSignal.timeout(150)
    const fetch: RunOptions["fetch"] = () => new Promise(() => {})
    expect(await run(script("await fetch('https://a.test')"), { fetch, signal })).toMatchObject({
      reason: "timeout",
    })
  })
})

describe("authority", () => {
  it.each([
    "process",
    "require('fs')",
    "module",
    "Buffer",
    "__dirname",
    "globalThis.process.exit()",
    "this.constructor.constructor('return process')()",
    "Function('return process')()",
    "(0, eval)('process')",
    "(async () => {}).constructor('return process')().constructor.constructor('return require')()",
    "setTimeout(() => {})",
    "XMLHttpRequest",
    "WebAssembly",
    "Worker",
    "std.exit()",
    "os.exec(['ls'])",
    "Deno",
    "importScripts('x')",
    "import.meta",
    "parentPort",
    "Intl.NumberFormat.constructor('return process')()",
    "new Intl.NumberFormat().format.constructor('return process')()",
    "({}).__proto__.constructor.constructor('return process')()",
    "Reflect.construct(Function, ['return process'])()",
    "Error.captureStackTrace.constructor('return process')()",
  ])("is not to be had by %s", async (code) => {
    expect(await failureOf(expression(code))).toMatch(/Error/)
  })

  it("is not to be had by imports", async () => {
    expect(await failureOf(script("return (await import('node:fs')).readdirSync('/')"))).toMatch(
      /Error/,
    )
    expect(await failureOf(script("import fs from 'node:fs'"))).toMatch(/SyntaxError/)
  })

  it("does not come through the error, the stack, or what helpers are made of", async () => {
    const code = `
      const seen = []
      for (const start of [setVariable, console.log, new Error("x"), (() => { try { null.a } catch (e) { return e } })()]) {
        seen.push(typeof start.constructor.constructor("return globalThis.process")())
      }
      Error.prepareStackTrace = (error, frames) => seen.push(typeof frames)
      new Error("x").stack
      return seen`
    expect(await run(script(code))).toEqual({
      value: ["undefined", "undefined", "undefined", "undefined"],
    })
  })

  it("leaves nothing behind for the next script", async () => {
    const spoil = `
      globalThis.left = 1; Object.prototype.left = 1; JSON.parse = JSON.stringify = () => '{"value":7}'
      Array.prototype.push = null; Promise.prototype.then = null; Map.prototype.get = null
      return 1`
    for (const one of [script(spoil), script(spoil)]) {
      expect(await run(one)).toEqual({ value: 1 })
    }
    expect(await run(expression("[typeof left, ({}).left, [1].concat(2)]"))).toEqual({
      value: ["undefined", null, [1, 2]],
    })
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it("does not reach the prototypes of the service by what it returns or assigns", async () => {
    const code = `
      const trick = '{"__proto__":{"left":1},"constructor":{"prototype":{"left":1}}}'
      setVariable("constructor", JSON.parse(trick))
      return JSON.parse(trick)`
    const outcome = await run(script(code))
    expect(JSON.stringify(outcome)).toContain('"__proto__":{"left":1}')
    expect("left" in {}).toBe(false)
    expect(Object.keys(Object.prototype)).toEqual([])
    const list = "const a = []; a.__proto__ = { length: 2, toJSON: () => ['x'] }; return a"
    expect(await run(script(list))).toEqual({ value: ["x"] })
  })

  it("does not let a script forge its outcome", async () => {
    const forge = `
      Object.prototype.toJSON = () => ({ failed: true, description: "forged" })
      return { a: 1 }`
    expect(await run(script(forge))).toEqual({
      value: { failed: true, description: "forged" },
    })
    const asks = `
      Array.prototype.toJSON = () => ({ length: 3, 0: null })
      Map.prototype.get = () => ({ resolve: 1 })
      return await fetch("https://a.test")`
    expect(await run(script(asks), { fetch: async () => "x" })).toMatchObject({ failed: true })
  })
})

/** Every script gets the same fresh realm, after any script before it. */
import { expect, test, vi } from "vitest"
import { markingScripts } from "../../../test/support/memoryMarks.ts"
import { evaluate } from "./evaluate.ts"
import { createFreshRealm } from "./freshRealm.ts"
import { createMachine } from "./machine.ts"
import type { Clock } from "./realm.ts"
import type { SentScript } from "./sandboxMessages.ts"
import { compileQuickJs } from "./startWorker.ts"

const clock: Clock = { during: (work) => work(), isOver: () => false }

async function scene() {
  const machine = await createMachine(compileQuickJs())
  const fresh = createFreshRealm(machine)
  const run = async (code: string, sent: Partial<SentScript> = {}) => {
    const script: SentScript = { code, globals: "{}", mode: "expression", hasFetch: false, ...sent }
    const ask = () => Promise.reject(new Error("Nothing is asked"))
    const room = { ...fresh, clock, isBloated: () => false, maxCharacters: 1e6, lastAsk: 0, ask }
    const outcome = await evaluate(script, room)
    fresh.reset()
    return "text" in outcome ? JSON.parse(outcome.text) : outcome
  }
  return { machine, run, forgetFormatters: fresh.forgetFormatters }
}

const marked = JSON.stringify({ mark: "Q".repeat(16) })
const globals = JSON.stringify({ text: "x".repeat(500) })
const scripts: { code: string; sent: Partial<SentScript> }[] = [
  { code: "return [text, { a: 1n + 1n > 1 }]", sent: { globals } },
  {
    code: "setVariable('A', [text]); await 1; return text",
    sent: { globals, mode: "program" },
  },
  { code: "throw new Error(text)", sent: { globals, mode: "program" } },
  { code: "return (", sent: {} },
  {
    code: "return typeof fetch + 1..toLocaleString()",
    sent: { mode: "program", hasFetch: true },
  },
]

test("takes no more memory for 2,000 scripts than for one", async () => {
  const { machine, run } = await scene()
  for (const { code, sent } of scripts) await run(code, sent)
  const before = machine.takenBytes()
  for (let i = 0; i < 400; i++) for (const { code, sent } of scripts) await run(code, sent)
  expect(machine.takenBytes()).toBe(before)
  const last = await run("return typeof fetch + 1..toLocaleString()", { hasFetch: true })
  expect(last).toEqual({ value: "function1" })
})

test("has every byte of the machine as it was, after every kind of script", async () => {
  const { machine, run } = await scene()
  const memory = () => Buffer.from(machine.quickJs.getWasmMemory().buffer)
  await run("return 1")
  const before = Buffer.from(memory())
  const sent = { globals: marked, mode: "program" } as const
  for (const [name, code] of Object.entries(markingScripts)) {
    await run(code, sent)
    const after = memory()
    expect(after.subarray(0, before.length).equals(before), name).toBe(true)
    expect(after.subarray(before.length).includes(0x51), name).toBe(false)
  }
  expect(memory().length).toBeGreaterThan(before.length)
})

test("shares no memory, which QuickJS would not clear", async () => {
  const { run } = await scene()
  const absent = await run("return [typeof SharedArrayBuffer, typeof Atomics]")
  expect(absent).toEqual({ value: ["undefined", "undefined"] })
})

test("draws other numbers for every script", async () => {
  const { run } = await scene()
  const drawn = new Set<number>()
  for (let i = 0; i < 5; i++) {
    const { value } = await run("return Array.from({ length: 250 }, Math.random)")
    for (const number of value) drawn.add(number)
  }
  expect(drawn.size).toBe(5 * 250)
  for (const number of drawn) expect(number >= 0 && number < 1).toBe(true)
})

test("takes no random numbers of Node's, and no formatters that another job has used", async () => {
  const { run, forgetFormatters } = await scene()
  const random = vi.spyOn(Math, "random")
  const formatter = vi.spyOn(Intl, "NumberFormat")
  const code = "return [Math.random(), 0.5.toLocaleString('de'), 1.5.toLocaleString('de')]"
  for (let i = 0; i < 2; i++) await run(code)
  expect(random).not.toHaveBeenCalled()
  expect(formatter).toHaveBeenCalledTimes(1)
  forgetFormatters()
  await run(code)
  expect(formatter).toHaveBeenCalledTimes(2)
  random.mockRestore()
  formatter.mockRestore()
})

const emptied = `for (const each of [Intl, JSON, Math, console, Date.prototype, Number.prototype,
  BigInt.prototype, String.prototype, Array.prototype, Promise.prototype, globalThis])
    for (const name of Reflect.ownKeys(each)) delete each[name]`

test.each([
  ["globals", "globalThis.a = 1; b = 2; (0, eval)('var c = 3; let d = 4')"],
  [
    "prototypes",
    "Object.prototype.a = 1; Array.prototype.map = null; String.prototype.trim = null",
  ],
  ["built-ins", "JSON.parse = JSON.stringify = () => '7'; Math.random = () => 7; console.log = 7"],
  ["absences", emptied],
  ["setters", "Object.defineProperty(globalThis, 'text', { set() { throw 7 } })"],
  ["frozen objects", "Object.freeze(globalThis); Object.freeze(Array.prototype)"],
  ["failures", "globalThis.b = 1; throw new Error('x')"],
  ["work left undone", "Promise.resolve().then(() => { leak = 1 }); new Promise(() => {})"],
])("8.1 keeps no %s of a script for the next one", async (_name, code) => {
  const { run } = await scene()
  const look = `own = 1
    console.log("")
    setVariable("Is set", true)
    return [typeof a, typeof b, typeof c, typeof d, typeof leak, ({}).a, [1].map((n) => n + 1),
      " x ".trim(), JSON.parse("[1]"), Math.random() < 1, 0.5.toLocaleString("de"), text, await own]`
  const program = { globals: '{"text":"t"}', mode: "program" } as const
  const none = "undefined"
  const clean = [none, none, none, none, none, null, [2], "x", [1], true, "0,5", "t", 1]
  expect(await run(look, program)).toEqual({ value: clean, assigned: { "Is set": true } })
  await run(code, program)
  expect(await run(look, program)).toEqual({ value: clean, assigned: { "Is set": true } })
})

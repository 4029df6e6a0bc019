/** Tests that every script gets the same fresh realm, whatever the script before it did. */
import { expect, test } from "vitest"
import { evaluate } from "./evaluate.ts"
import { openFreshRealm } from "./freshRealm.ts"
import { openMachine } from "./machine.ts"
import type { SentScript } from "./messages.ts"
import type { Clock } from "./realm.ts"
import { compileQuickJs } from "./startWorker.ts"

const clock: Clock = { during: (work) => work(), isOver: () => false }

async function scene() {
  const machine = await openMachine(compileQuickJs())
  const fresh = openFreshRealm(machine)
  const run = async (code: string, sent: Partial<SentScript> = {}) => {
    const script: SentScript = { code, globals: "{}", mode: "expression", hasFetch: false, ...sent }
    const ask = () => Promise.reject(new Error("Nothing is asked"))
    const room = { ...fresh, clock, isBloated: () => false, maxCharacters: 1e6, lastAsk: 0, ask }
    const outcome = await evaluate(script, room)
    fresh.reset()
    return "text" in outcome ? JSON.parse(outcome.text) : outcome
  }
  return { machine, run }
}

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

test("has every byte of the machine as it was, but for its unused stack", async () => {
  const { machine, run } = await scene()
  const memory = machine.quickJs.getWasmMemory()
  const pages = () => {
    const bytes = Buffer.from(memory.buffer)
    return Array.from({ length: bytes.length / 65_536 }, (_, page) =>
      bytes.subarray(page * 65_536, (page + 1) * 65_536),
    )
  }
  const before = pages().map((page) => Buffer.from(page))
  for (const { code, sent } of scripts) await run(code, sent)
  const after = pages()
  const used = before.flatMap((page, index) => (page.some((byte) => byte !== 0) ? [index] : []))
  expect(used.length).toBeGreaterThan(1)
  for (const page of used) expect(after[page]?.equals(before[page] ?? Buffer.of())).toBe(true)
})

test("holds nothing of what was in memory before", async () => {
  const { run } = await scene()
  await run("globalThis.a = Array.from({ length: 80 }, () => 'secret'.repeat(1e4)); return 1")
  const isEmpty = (bytes: string) =>
    run(`return new Uint8Array(${bytes}).every((byte) => byte === 0)`)
  expect(await isEmpty("8e6")).toEqual({ value: true })
  expect(await isEmpty("new ArrayBuffer(1e5)")).toEqual({ value: true })
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

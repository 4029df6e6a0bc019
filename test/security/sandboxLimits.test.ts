/** Tests the limits on time, memory and size of scripts, and that nobody else notices when they are reached. */
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { describe, expect, it } from "vitest"
import { openSandbox, type RunOptions } from "../../src/effects/sandbox/sandbox.ts"
import { isFailure } from "../../src/engine/calls.ts"
import { userParty } from "../../src/lib/party.ts"
import { hostileScripts, runHostile } from "../support/hostileScripts.ts"
import { expression, sandboxScene, script } from "./sandboxScene.ts"

const { sandbox, run, failureOf } = sandboxScene()

describe("time", () => {
  const runMs = 100

  it.each([
    ["an endless loop", "while (true) {}"],
    ["an endless loop that catches everything", "while (true) try { while (true) {} } catch {}"],
    ["a finally that goes on", "try { while (true) {} } finally { while (true) {} }"],
    ["promises that beget promises", "const f = () => Promise.resolve().then(f); await f()"],
    ["an async loop", "while (true) await null"],
    ["a hungry regular expression", "return /^(a+)+$/.test('a'.repeat(60) + 'b')"],
    ["a getter of the result", "return { get a() { while (true) {} } }"],
    ["a toJSON of the result", "return { toJSON() { while (true) {} } }"],
    ["a proxy as the result", "return new Proxy({}, { ownKeys() { while (true) {} } })"],
    ["a thenable as the result", "return { then() { while (true) {} } }"],
    ["the message of an error", "throw { toJSON() { while (true) {} } }"],
    ["the name of a variable", "setVariable({ toString() { while (true) {} } }, 1); while (1) {}"],
    ["the value of a variable", "setVariable('A', { get a() { while (true) {} } })"],
    ["a generator", "function* g() { while (true) yield 1 } for (const a of g()) {}"],
    ["a sort that never ends", "[1, 2, 3].sort(() => { while (true) {} })"],
    ["the address of a request", "fetch({ toString() { while (true) {} } })"],
  ])("ends %s", async (_name, code) => {
    const outcome = await run(script(code), { runMs, fetch: async () => "" })
    expect(outcome).toMatchObject({ failed: true, reason: "timeout" })
    expect(await run(expression("1"))).toEqual({ value: 1 })
  })

  it("ends from outside what the machine itself cannot interrupt, for that call alone", async () => {
    const hang = script("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)")
    const [hung, other] = await Promise.all([
      run(hang, { runMs: 100, party: userParty("a") }),
      run(script("let n = 0; while (n < 1e5) n++; return n"), { party: userParty("b") }),
    ])
    expect(hung).toMatchObject({ failed: true, reason: "timeout" })
    expect(other).toEqual({ value: 100_000 })
    expect(await run(expression("1"), { party: userParty("a") })).toEqual({ value: 1 })
  })

  it("is one budget for all scripts of a call", async () => {
    const outcomes = await sandbox.run(Array(5).fill(script("while (true) {}")), { runMs })
    expect(outcomes).toHaveLength(5)
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: "timeout" })
  })

  it("does not count while a script waits for an answer", async () => {
    // Enough for the script itself on a busy machine; another one uses up more meanwhile.
    const ownMs = 1_000
    const fetch: RunOptions["fetch"] = async () => {
      await run(script("while (true) {}"), { runMs: ownMs + 100, party: userParty("b") })
      return "late"
    }
    const code = "return await fetch('https://a.test')"
    expect(await run(script(code), { runMs: ownMs, fetch })).toEqual({ value: "late" })
  })

  it.each(
    Object.entries(hostileScripts),
  )("of the service itself goes on during %s", async (_name, code) => {
    await run(expression("1"))
    let rounds = 0
    const counting = setInterval(() => {
      rounds += 1
    }, 1)
    await runHostile(sandbox, code, 200)
    clearInterval(counting)
    // If the loop is blocked until the end, there is only one.
    expect(rounds).toBeGreaterThan(2)
  })
})

function collectGarbage(): void {
  setFlagsFromString("--expose-gc")
  runInNewContext("gc")()
}

describe("memory", () => {
  it.each([
    ["lists", "const a = []; while (true) a.push(new Array(10000).fill(1))"],
    ["texts", "const a = []; let s = 'x'.repeat(1e6); while (true) a.push(s + a.length)"],
    ["buffers", "const a = []; while (true) a.push(new ArrayBuffer(1e6))"],
    ["objects", "const a = []; while (true) a.push({ a: 1 })"],
    ["maps", "const m = new Map(); let i = 0; while (true) m.set(i++, {})"],
    ["closures", "const a = []; while (true) { const b = a.length; a.push(() => b) }"],
    ["promises", "const a = []; while (true) a.push(new Promise((r) => a.push(r)))"],
  ])("has an end for %s, and the next script starts afresh", async (_name, code) => {
    expect(await failureOf(script(code))).toBe("The script used too much memory")
    expect(await run(expression("1"))).toEqual({ value: 1 })
  })

  it.each([
    ["a promise bomb", hostileScripts["promise bomb"]],
    ["a text that doubles", "let s = 'x'; while (true) s += s"],
    ["deep recursion", "const f = () => f(); f()"],
    ["deep recursion through a native function", "const f = () => [1].map(f); f()"],
    ["deep data", "let a = []; for (let i = 0; i < 1e4; i++) a = [a]; return a"],
    ["deep JSON", "return JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))"],
    ["a huge number", "let n = 2n; while (true) n = n * n"],
    ["a huge list", "return new Array(2 ** 32 - 1).fill(0)"],
    [
      "a bomb that catches",
      "const a = []; while (true) try { a.push('x'.repeat(1e6) + a.length) } catch {}",
    ],
  ])("and stack have an end for %s", async (_name, code) => {
    expect(await run(script(code), { runMs: 1_000 })).toMatchObject({ failed: true })
    expect(await run(expression("1"))).toEqual({ value: 1 })
  })

  it("is as large after 10,000 scripts as before", async () => {
    const batch = Array.from({ length: 100 }, (_, i) =>
      script("setVariable('A', text); return text + i", { text: "x".repeat(50), i }),
    )
    const runBatches = async (count: number) => {
      for (let i = 0; i < count; i += 2) {
        const owners = [{ party: userParty("a") }, { party: userParty("b") }]
        const outcomes = await Promise.all(owners.map((how) => sandbox.run(batch, how)))
        expect(outcomes.flat().every((outcome) => !isFailure(outcome))).toBe(true)
      }
      collectGarbage()
      return process.memoryUsage().rss
    }
    const before = await runBatches(20)
    const after = await runBatches(100)
    // The heaps of the threads vary in size; leaks of scripts would come on top of that.
    expect(after - before).toBeLessThan(100 * 1024 * 1024)
  })
})

describe("size", () => {
  it("of a result, or of what is assigned, has an end", async () => {
    expect(await failureOf(expression("'x'.repeat(2e6)"))).toContain("too large")
    expect(await failureOf(script("setVariable('A', 'x'.repeat(2e6))"))).toContain("Too much")
    expect(await failureOf(script("setVariable('x'.repeat(2e6), 1)"))).toContain("Too much")
    expect(
      await failureOf(
        script("while (true) setVariable(String(Math.random()).padEnd(999), 'xxxx')"),
      ),
    ).toContain("Too much")
  })

  it("of what a script sees has one too", async () => {
    const globals = { large: "x".repeat(9e6) }
    expect(await failureOf(expression("1", globals))).toContain("too large")
    const smaller = { large: "x".repeat(5e6) }
    expect(await run(expression("large.length", smaller))).toEqual({ value: 5e6 })
  })

  it("is counted over all scripts of a call", async () => {
    const outcomes = await sandbox.run(Array(4).fill(expression("'x'.repeat(4e5)")))
    expect(outcomes.map((outcome) => isFailure(outcome))).toEqual([false, false, true, true])
  })

  it("of a result includes its depth", async () => {
    const deep = "let a = 1; for (let i = 0; i < 200; i++) a = { a }; return a"
    expect(await failureOf(script(deep))).toContain("too deeply")
  })
})

describe("a crowd", () => {
  const crashed = "The sandbox could not run the script"

  it("is refused quickly once the line is full", async () => {
    const small = openSandbox({ computing: 1, maxWaiting: 3, maxWaitMs: 600_000 })
    const leaving = new AbortController()
    const busy = small.run([script("while (true) {}")], { signal: leaving.signal })
    const others = Array.from({ length: 10 }, () => small.run([expression("1")]))
    // Nothing else ends while the script hangs.
    const [first] = await Promise.race(others)
    expect(first).toMatchObject({ failed: true, description: "Too many scripts are running" })
    leaving.abort()
    const outcomes = (await Promise.all(others)).flat()
    expect(outcomes.filter((outcome) => !isFailure(outcome))).toHaveLength(3)
    await busy
    small.close()
  })

  it("waits no longer than its limit", async () => {
    const small = openSandbox({ computing: 1, maxWaitMs: 100 })
    const busy = small.run([script("while (true) {}")])
    expect(await small.run([expression("1")])).toMatchObject([{ failed: true }])
    small.close()
    expect(await busy).toMatchObject([{ failed: true, description: crashed }])
  })

  it("of one owner leaves a thread to the others", async () => {
    const leaving = new AbortController()
    const how = { party: userParty("hog"), signal: leaving.signal }
    const hogs = Promise.all([1, 2, 3].map(() => run(script("while (true) {}"), how)))
    const first = await Promise.race([
      hogs,
      run(expression("1"), { party: userParty("somebody else") }),
    ])
    expect(first).toEqual({ value: 1 })
    leaving.abort()
    await hogs
  })

  it("gets failures from a closed sandbox", async () => {
    const closed = openSandbox()
    const running = closed.run([script("while (true) {}")])
    closed.close()
    const [outcome] = await running
    expect(outcome).toMatchObject({ failed: true })
    // It is not left to use up its time.
    expect(outcome).not.toMatchObject({ reason: "timeout" })
    expect(await closed.run([expression("1")])).toMatchObject([{ failed: true }])
  })

  it("that has gone does not keep the process alive", async () => {
    const code = `
      import { openSandbox } from ${JSON.stringify(new URL("../../src/effects/sandbox/sandbox.ts", import.meta.url).href)}
      const script = { code: "return 6 * 7", globals: {}, mode: "expression" }
      console.log(JSON.stringify(await openSandbox().run([script])))`
    const args = ["--import", "tsx", "--input-type=module", "--eval", code]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    expect(stdout.trim()).toBe('[{"value":42}]')
  })
})

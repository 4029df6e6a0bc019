/** Cells leave nothing behind in their machine. */
import { expect, it } from "vitest"
import { evaluate } from "./evaluate.ts"
import { openMachine } from "./machine.ts"
import type { SentScript } from "./messages.ts"
import { type Clock, openRealm } from "./realm.ts"
import { compileQuickJs } from "./startWorker.ts"

const clock: Clock = { during: (work) => work(), isOver: () => false }

it("takes no more memory for 10,000 scripts than for one", async () => {
  const machine = await openMachine(compileQuickJs())
  const run = async (script: SentScript) => {
    const realm = openRealm(machine)
    const ask = () => Promise.reject(new Error("Nothing is asked"))
    const room = { realm, clock, isBloated: () => false, maxCharacters: 1e6, lastAsk: 0, ask }
    const outcome = await evaluate(script, room)
    realm.close()
    return outcome
  }
  const globals = JSON.stringify({ text: "x".repeat(500) })
  const scripts: SentScript[] = [
    { code: "return [text, { a: 1n + 1n > 1 }]", globals, mode: "expression", hasFetch: false },
    {
      code: "setVariable('A', [text]); await 1; return text",
      globals,
      mode: "program",
      hasFetch: false,
    },
    { code: "throw new Error(text)", globals, mode: "program", hasFetch: false },
    { code: "return (", globals, mode: "expression", hasFetch: false },
    { code: "return typeof fetch + 1..toLocaleString()", globals, mode: "program", hasFetch: true },
  ]
  for (const script of scripts) await run(script)
  const before = machine.takenBytes()
  for (let i = 0; i < 2_000; i++) for (const script of scripts) await run(script)
  expect(machine.takenBytes()).toBe(before)
  const [outcome] = await Promise.all(scripts.slice(-1).map(run))
  expect(outcome).toEqual({ text: '{"value":"function1"}' })
}, 120_000)

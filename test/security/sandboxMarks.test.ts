/** Tests that the scripts of two owners share nothing but the thread that they run on, one after the other. */
import { expect, it } from "vitest"
import { isFailure, type ScriptOutcome } from "../../src/engine/calls.ts"
import { userParty } from "../../src/lib/party.ts"
import { findMarks, markingScripts } from "../support/memoryMarks.ts"
import { sandboxScene, script } from "./sandboxScene.ts"

// SANDBOX_ROUNDS=1000 is the long form.
const rounds = Number(process.env.SANDBOX_ROUNDS ?? 8)

const timeout = 300_000 + rounds * 3_000

const mark = "Q".repeat(16)

/** Scripts that end in every way that there is, and how; most have filled their memory with marks. */
const endings: { code: string; runMs?: number; ends: string }[] = [
  { code: "kept = new Uint8Array(9e6).fill(0x51); return mark", ends: "value" },
  { code: "kept = new Uint8Array(9e6).fill(0x51); throw new Error(mark)", ends: "Error: QQQQ" },
  {
    code: "kept = new Uint8Array(9e6).fill(0x51); while (true) kept[0]++",
    runMs: 300,
    ends: "The script ran for too long",
  },
  { code: "kept = (text) => kept(text + mark); kept(mark)", ends: "InternalError: stack overflow" },
  {
    code: "kept = []; while (true) kept.push({ mark: mark + kept.length })",
    ends: "The script ",
  },
  {
    code: "kept = mark.repeat(5e5); Intl.NumberFormat(mark)",
    ends: "RangeError: Incorrect locale",
  },
  {
    code: "kept = mark.repeat(5e5); setVariable(mark, 2n, kept); return fetch(mark)",
    ends: "value",
  },
  { code: "fetch(mark); kept = mark.repeat(5e5); throw new Error(mark)", ends: "Error: QQQQ" },
  { code: "kept = mark.repeat(5e5); await new Promise(() => {})", ends: "The script waits" },
  { code: "setVariable(mark, mark); setVariable = console = fetch => mark", ends: "value" },
]

it(`8.1 what ${rounds} rounds of scripts leave, no script of another owner finds`, {
  timeout,
}, async () => {
  const { run } = sandboxScene({ computing: 1, fetching: 1 })
  const marking: typeof endings = [
    ...Object.values(markingScripts).map((code) => ({ code, ends: "" })),
    ...endings,
  ]
  const clean: ScriptOutcome = { value: [] }
  for (let round = 0; round < rounds; round++) {
    const [own, other] = round % 2 === 0 ? ["a", "b"] : ["b", "a"]
    // Eight rounds take every script once.
    for (let index = round % 8; index < marking.length; index += 8) {
      const { code, runMs, ends } = marking[index] ?? { code: "", ends: "" }
      const how = { party: userParty(own), fetch: async () => mark, ...(runMs && { runMs }) }
      const outcome = await run(script(code, { mark }), how)
      const ended = isFailure(outcome) ? outcome.description : "value"
      expect(ended, code).toContain(ends)
      expect(await run(script(findMarks), { party: userParty(other) }), code).toEqual(clean)
    }
    const fetching = script(`await fetch("https://a"); ${findMarks}`)
    expect(await run(fetching, { party: userParty(other), fetch: async () => "" })).toEqual(clean)
  }
})

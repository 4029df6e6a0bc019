/** Runs flows to see what their calls cost, in units and in processor time. */
import { type Flow, prepareBot } from "../../src/engine/bot.ts"
import { liveLimits } from "../../src/engine/budget/fuel.ts"
import type { Call, Outcome } from "../../src/engine/calls.ts"
import { createSession, type Session } from "../../src/engine/session.ts"
import type { EngineDeps, Turn } from "../../src/engine/turn/run.ts"
import { reply, resume, start } from "../../src/engine/turn/turn.ts"
import { AppError } from "../../src/lib/errors.ts"
import { testWorld } from "./outside.ts"

/** A call and what it cost. */
export type Spent = { turn?: Turn; error?: AppError; cpuMs: number }

/** Starts a chat and answers it a few times; each step is timed by the processor, not by the clock. */
export function spend(flow: Flow, message: string): Spent[] {
  const root = prepareBot(flow, "root", "rootBot")
  const stage: EngineDeps = {
    world: testWorld(),
    bots: new Map([["root", root]]),
    limits: liveLimits,
  }
  const spent: Spent[] = []
  const step = (act: () => Turn): Turn | undefined => {
    let cpuMs = 0
    const timed = (work: () => Turn): Turn => {
      const before = process.cpuUsage()
      try {
        return work()
      } finally {
        const { user, system } = process.cpuUsage(before)
        cpuMs += (user + system) / 1_000
      }
    }
    try {
      let turn = timed(act)
      while (turn.call) {
        const asked = turn
        const outcome = outcomeOf(turn.call, message)
        turn = timed(() => resume(stage, asked, outcome))
      }
      spent.push({ turn, cpuMs })
      return turn
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      spent.push({ error, cpuMs })
      return undefined
    }
  }
  const opening = {
    bot: root,
    isPreview: false,
    isStreamEnabled: false,
    isProgressShown: true,
    resultId: "r",
  }
  let session: Session | undefined = createSession(opening)
  const opened: Session = session
  session = step(() => start(stage, opened))?.session
  for (let times = 0; times < 2 && session?.at !== undefined; times++) {
    const before: Session = session
    session = step(() => reply(stage, before, { type: "text", text: message }))?.session
  }
  return spent
}

function outcomeOf(call: Call, text: string): Outcome {
  if (call.kind === "script") return { results: call.scripts.map(() => ({ value: text })) }
  if (call.kind === "history") return { lines: [] }
  if (call.kind === "http") return { status: 200, text: `[${'"a",'.repeat(200_000)}1]` }
  if (call.kind === "sheet") {
    const values = [["a"], ...Array.from({ length: 20_000 }, () => [text.slice(0, 20)])]
    const valueRange = { range: "S!A1", values }
    return { status: 200, text: JSON.stringify({ valueRanges: [{ valueRange }] }) }
  }
  return { failed: true, description: "not here" }
}

/** The program of a worker thread: runs one job at a time, each script in a fresh realm. */
import { parentPort, workerData } from "node:worker_threads"
import { giveWay } from "../../lib/giveWay.ts"
import { evaluate, machineBroke } from "./evaluate.ts"
import { createFreshRealm } from "./freshRealm.ts"
import { createMachine } from "./machine.ts"
import { modestBytes } from "./memory.ts"
import type { Clock } from "./realm.ts"
import type {
  Answer,
  Ask,
  Job,
  Order,
  Ready,
  Report,
  SentOutcome,
  SentScript,
} from "./sandboxMessages.ts"

const port = parentPort
if (!port) throw new Error("This file only runs as a worker thread")

/** Bounds of a script: its requests get higher ids than `lastAsk`. */
type Bounds = { clock: Clock; lastAsk: number; maxCharacters: number }

const asksPerScript = 1000
if (workerData.givesWay) giveWay()
let machine = await createMachine(workerData.quickJs)
let fresh = createFreshRealm(machine)
/** Whether the machine is broken or holds too much memory, which it never frees. */
let isWorn = false
let onAnswer = (_answer: Answer) => {}

port.on("message", (order: Order) => {
  if (order.kind === "run") void runJob(order.job)
  else onAnswer(order.answer)
})
report({ kind: "ready" })

function report(message: Ready | Report): void {
  port?.postMessage(message)
}

async function runJob({ scripts, runMs, maxCharacters }: Job): Promise<void> {
  const clock = createClock(runMs)
  const outcomes: SentOutcome[] = []
  let leftCharacters = maxCharacters
  for (const [index, script] of scripts.entries()) {
    if (isWorn) await replaceMachine()
    // Requests of different scripts have different ids, so that no script gets the late answer of another.
    const lastAsk = index * asksPerScript
    const outcome = await runScript(script, { clock, lastAsk, maxCharacters: leftCharacters })
    if ("text" in outcome) leftCharacters -= outcome.text.length
    outcomes.push(outcome)
  }
  fresh.forgetFormatters()
  report({ kind: "done", outcomes, isWorn })
}

async function runScript(script: SentScript, bounds: Bounds): Promise<SentOutcome> {
  const { clock, lastAsk } = bounds
  isWorn = true
  try {
    const ask = (asks: Ask[]) => request(asks, lastAsk)
    const outcome = await evaluate(script, { ...fresh, ...bounds, isBloated, ask })
    // Without time left, the script may have left the machine in any state.
    if (clock.isOver() || isBloated()) return outcome
    fresh.reset()
    isWorn = false
    return outcome
  } catch {
    // The machine itself has failed: it ran out of stack, or of memory in the wrong place.
    return machineBroke
  }
}

async function replaceMachine(): Promise<void> {
  machine = await createMachine(workerData.quickJs)
  fresh = createFreshRealm(machine)
  isWorn = false
}

function isBloated(): boolean {
  return machine.takenBytes() > modestBytes
}

function request(asks: Ask[], lastAsk: number): Promise<Answer> {
  const wait = (asks: Ask[]) => report({ kind: "waiting", asks, takenBytes: machine.takenBytes() })
  return new Promise((resolve) => {
    onAnswer = (answer) => (answer.id > lastAsk ? resolve(answer) : wait([]))
    wait(asks)
  })
}

function createClock(runMs: number): Clock {
  let leftMs = runMs
  let startedAt: number | undefined
  const spentMs = () => (startedAt === undefined ? 0 : performance.now() - startedAt)
  return {
    isOver: () => leftMs - spentMs() <= 0,
    during: (work) => {
      startedAt = performance.now()
      try {
        return work()
      } finally {
        leftMs -= spentMs()
        startedAt = undefined
      }
    },
  }
}

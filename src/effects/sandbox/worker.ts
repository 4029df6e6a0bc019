/** The program of a worker thread: runs one job at a time, each script in a fresh realm. */
import { parentPort, workerData } from "node:worker_threads"
import { evaluate, machineBroke } from "./evaluate.ts"
import { openFreshRealm } from "./freshRealm.ts"
import { openMachine } from "./machine.ts"
import { modestBytes } from "./memory.ts"
import type { Answer, Ask, Job, Order, Ready, Report, SentOutcome, SentScript } from "./messages.ts"
import type { Clock } from "./realm.ts"

const port = parentPort
if (!port) throw new Error("This file only runs as a worker thread")

type RunningJob = {
  clock: Clock
  /** Requests of different scripts have different ids, so that no script gets the late answer of another. */
  lastAsk: number
}

const asksPerScript = 1000
let machine = await openMachine(workerData)
let fresh = openFreshRealm(machine)
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
  const run: RunningJob = { clock: openClock(runMs), lastAsk: 0 }
  const outcomes: SentOutcome[] = []
  let leftCharacters = maxCharacters
  for (const script of scripts) {
    if (isWorn) await replaceMachine()
    const outcome = await runScript(script, run, leftCharacters)
    if ("text" in outcome) leftCharacters -= outcome.text.length
    outcomes.push(outcome)
  }
  report({ kind: "done", outcomes, isWorn })
}

async function runScript(
  script: SentScript,
  run: RunningJob,
  maxCharacters: number,
): Promise<SentOutcome> {
  isWorn = true
  try {
    run.lastAsk += asksPerScript
    const { clock, lastAsk } = run
    const ask = (asks: Ask[]) => request(asks, lastAsk)
    const { realm, addBuiltIns } = fresh
    const evaluation = { realm, addBuiltIns, clock, isBloated, maxCharacters, lastAsk, ask }
    const outcome = await evaluate(script, evaluation)
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
  machine = await openMachine(workerData)
  fresh = openFreshRealm(machine)
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

function openClock(runMs: number): Clock {
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

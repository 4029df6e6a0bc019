/** The worker thread of the sandbox: runs trips one after the other, each script in a fresh cell. */
import { parentPort } from "node:worker_threads"
import { type Cell, type Clock, openCell } from "./cell.ts"
import { brokeMachine, evaluate } from "./evaluate.ts"
import { openMachines } from "./machine.ts"
import type { Answer, Ask, Order, Report, SentOutcome, SentScript, Trip } from "./messages.ts"

const port = parentPort
if (!port) throw new Error("This file only runs as a worker thread")

const nextMachine = await openMachines()
let machine = await nextMachine()
// A cell takes longer to open than most scripts run, so the next one is opened in idle time.
let spare: Cell | undefined = openCell(machine)
let hearAnswer: ((answer: Answer) => void) | undefined
// Asks of different scripts have different numbers, so a late answer reaches nobody.
let lastAsk = 0
const asksPerScript = 1000

port.on("message", (order: Order) => {
  if (order.kind === "run") void run(order.trip)
  else hearAnswer?.(order.answer)
})
report({ kind: "ready" })

function report(message: Report): void {
  port?.postMessage(message)
}

async function run(trip: Trip): Promise<void> {
  const clock = openClock(trip.runMs)
  const outcomes: SentOutcome[] = []
  let leftCharacters = trip.maxCharacters
  for (const script of trip.scripts) {
    const outcome = await runOne(script, clock, leftCharacters)
    if ("text" in outcome) leftCharacters -= outcome.text.length
    outcomes.push(outcome)
  }
  report({ kind: "done", outcomes })
  setImmediate(prepare)
}

async function runOne(
  script: SentScript,
  clock: Clock,
  maxCharacters: number,
): Promise<SentOutcome> {
  let isSound = false
  try {
    const cell = spare ?? openCell(machine)
    spare = undefined
    lastAsk += asksPerScript
    const room = { cell, clock, isBloated, maxCharacters, lastAsk, ask }
    const outcome = await evaluate(script, room)
    // What ran out of time may have left anything half done.
    if (!clock.isOver()) {
      cell.close()
      isSound = !isBloated()
    }
    return outcome
  } catch {
    // Out of memory in the wrong place, or out of stack: the machine itself gives up.
    return brokeMachine
  } finally {
    if (!isSound) machine = await nextMachine()
  }
}

// Memory that a machine took it never gives back, so after a hungry script it is replaced.
function isBloated(): boolean {
  return machine.takenBytes() > 32 * 1024 * 1024
}

function prepare(): void {
  spare ??= openCell(machine)
}

async function ask(asks: Ask[]): Promise<Answer> {
  return await new Promise((resolve) => {
    hearAnswer = (answer) => {
      if (answer.id > lastAsk) resolve(answer)
    }
    report({ kind: "waiting", asks })
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

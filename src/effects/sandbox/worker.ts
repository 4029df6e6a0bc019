/** The worker thread of the sandbox: runs trips, each script in a fresh cell, in turns while they wait. */
import { parentPort } from "node:worker_threads"
import { type Cell, type Clock, openCell } from "./cell.ts"
import { brokeMachine, evaluate } from "./evaluate.ts"
import { type Machine, openMachines } from "./machine.ts"
import type { Answer, Ask, Order, Report, SentOutcome, SentScript, Trip } from "./messages.ts"

const port = parentPort
if (!port) throw new Error("This file only runs as a worker thread")

/** A machine that nobody uses. A cell takes longer to open than most scripts run, so it has one. */
type Spare = { machine: Machine; cell?: Cell | undefined }

/** A trip under way, in a machine of its own: what one fills is not missing to another. */
type Run = Spare & {
  trip: Trip
  clock: Clock
  /** Asks of different scripts have different numbers, so a late answer reaches no other script. */
  lastAsk: number
  /** What goes on when an answer comes, or when none will be wanted. */
  waiting?: { hear: (answer: Answer) => void; drop: () => void } | undefined
  isDropped: boolean
}

const asksPerScript = 1000
const megabyte = 1024 * 1024
/** What the machines of all trips may take before a hungry script may not wait any more. */
const maxHeldBytes = 192 * megabyte
const runs = new Map<number, Run>()
const nextMachine = await openMachines()
const spares: Spare[] = [{ machine: await nextMachine() }]
prepare()

port.on("message", (order: Order) => {
  const run = runs.get(order.tripId)
  if (order.kind === "run") void begin(order)
  else if (!run?.waiting) report({ kind: "done", outcomes: [] })
  else if (order.kind === "answer") run.waiting.hear(order.answer)
  else {
    run.isDropped = true
    run.waiting.drop()
  }
})
report({ kind: "ready" })

function report(message: Report): void {
  port?.postMessage(message)
}

async function begin({ tripId, trip }: { tripId: number; trip: Trip }): Promise<void> {
  const spare = spares.pop() ?? { machine: await nextMachine() }
  const clock = openClock(trip.runMs)
  const run: Run = { ...spare, trip, clock, lastAsk: 0, isDropped: false }
  runs.set(tripId, run)
  const outcomes = await runAll(run)
  runs.delete(tripId)
  if (!run.isDropped) putBack(run.machine)
  report({ kind: "done", outcomes })
  setImmediate(prepare)
}

async function runAll(run: Run): Promise<SentOutcome[]> {
  const { scripts, maxCharacters } = run.trip
  const outcomes: SentOutcome[] = []
  let leftCharacters = maxCharacters
  for (const script of scripts) {
    const outcome = await runOne(script, run, leftCharacters)
    if (run.isDropped) break
    if ("text" in outcome) leftCharacters -= outcome.text.length
    outcomes.push(outcome)
  }
  return outcomes
}

async function runOne(script: SentScript, run: Run, maxCharacters: number): Promise<SentOutcome> {
  const { machine, clock } = run
  let isSound = false
  try {
    const cell = run.cell ?? openCell(machine)
    run.cell = undefined
    run.lastAsk += asksPerScript
    const room = { cell, clock, maxCharacters, lastAsk: run.lastAsk }
    const outcome = await evaluate(script, {
      ...room,
      isBloated: () => isBloated(machine),
      ask: (asks) => ask(run, asks),
    })
    // What ran out of time may have left anything half done.
    if (!clock.isOver()) {
      cell.close()
      isSound = !isBloated(machine)
    }
    return outcome
  } catch {
    // Out of memory in the wrong place, or out of stack: the machine itself gives up.
    return brokeMachine
  } finally {
    if (!isSound && !run.isDropped) run.machine = await nextMachine()
  }
}

// Memory that a machine took it never gives back, so after a hungry script it is replaced.
function isBloated(machine: Machine): boolean {
  return machine.takenBytes() > 32 * megabyte
}

function isCrowded(): boolean {
  const held = [...runs.values()].map(({ machine }) => machine.takenBytes())
  return held.reduce((sum, bytes) => sum + bytes, 0) > maxHeldBytes
}

function putBack(machine: Machine): void {
  // Machines that never grew are cheap to keep, and new ones take their time.
  const hasGrown = machine.takenBytes() > 16 * megabyte
  if (spares.length < (hasGrown ? 1 : 8)) spares.push({ machine })
}

function prepare(): void {
  const last = spares.at(-1)
  if (last) last.cell ??= openCell(last.machine)
}

async function ask(run: Run, asks: Ask[]): Promise<Answer> {
  if (isBloated(run.machine) && isCrowded()) throw new Error("Too much memory is held")
  return await new Promise((resolve, reject) => {
    const drop = () => reject(new Error("Nobody waits for this any more"))
    const hear = (answer: Answer) => {
      if (answer.id <= run.lastAsk) return report({ kind: "waiting", asks: [] })
      run.waiting = undefined
      resolve(answer)
    }
    run.waiting = { hear, drop }
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

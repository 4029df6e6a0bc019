/** Measures scripts in the sandbox: one by one, side by side, waiting, and the first of a thread. */
import { randomUUID } from "node:crypto"
import { openSandbox, type Sandbox } from "../../src/effects/sandbox/sandbox.ts"
import { type Bot, flowSchema, prepareBot } from "../../src/engine/bot.ts"
import { liveLimits } from "../../src/engine/budget/limits.ts"
import type { Script } from "../../src/engine/calls.ts"
import { openSession } from "../../src/engine/session.ts"
import type { EngineDeps } from "../../src/engine/turn/run.ts"
import { resume, start } from "../../src/engine/turn/turn.ts"
import { hostileScripts, longestDelayMs, runHostile } from "./hostileScripts.ts"

const program: Script = {
  code: "return v1 + 1",
  globals: { v1: 41 },
  mode: "program",
}

/** Rounds per hostile script; the median is printed. */
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)

/**
 * Prints milliseconds: what one warm script takes, how many run in a second, what a start takes that
 * computes values, how long it takes until as many as can wait for a server, with their memory, and for
 * how long the event loop stood still at most while hostile ones ran. BENCH_ROUNDS repeats these.
 */
export async function run(): Promise<void> {
  const sandbox = openSandbox()
  const cold = await time(() => evaluate(sandbox, "a"))
  for (let i = 0; i < 300; i++) await evaluate(sandbox, "a")
  const alone: number[] = []
  for (let i = 0; i < 2_000; i++) {
    alone.push(await time(() => evaluate(sandbox, "a")))
    // Turns do not follow each other without a pause.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const count = 4_000
  const crowdMs = await time(() => crowd(sandbox, count))
  console.log(`first script of a thread  ${cold.toFixed(1)} ms`)
  console.log(`warm script, median       ${quantile(alone, 0.5).toFixed(2)} ms (wanted: below 1)`)
  console.log(`warm script, 99 of 100    ${quantile(alone, 0.99).toFixed(2)} ms`)
  console.log(`16 at a time              ${Math.round(count / (crowdMs / 1000))} scripts a second`)
  await printStarts(sandbox)
  await printWaiting(sandbox)
  await printDelays(sandbox)
  sandbox.close()
}

/** Processor time of all threads together, for the engine and the scripts of one start. */
async function printStarts(sandbox: Sandbox): Promise<void> {
  const bot = computingBot(11)
  const starts = 200
  const figures: number[] = []
  for (let round = 0; round <= rounds; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < starts; i++) await startOnce(sandbox, bot)
    const { user, system } = process.cpuUsage(before)
    // The first round warms up.
    if (round > 0) figures.push((user + system) / 1000 / starts)
  }
  const [best, median] = [0, 0.5].map((part) => quantile(figures, part).toFixed(2))
  console.log(`a start with 11 scripts   ${median} ms of CPU, at best ${best} (wanted: below 1.2)`)
}

async function startOnce(sandbox: Sandbox, bot: Bot): Promise<void> {
  const deps: EngineDeps = {
    world: { now: Date.now, random: Math.random, newId: randomUUID, newResultId: randomUUID },
    bots: new Map([["v", bot]]),
    limits: liveLimits,
  }
  const opening = { bot, isPreview: false, isStreamEnabled: false, isProgressShown: false }
  let turn = start(deps, openSession({ ...opening, resultId: "r" }))
  const signal = AbortSignal.timeout(60_000)
  while (turn.call?.kind === "script") {
    const results = await sandbox.run(turn.call.scripts, { owner: "a", signal })
    turn = resume(deps, turn, { results })
  }
  const values = new Map(turn.session.queue[0]?.values)
  if (values.get("v11") !== "12") throw new Error("Wrong value")
}

/** Set variable blocks, each of which adds to what the one before has set. */
function computingBot(count: number): Bot {
  const graphCoordinates = { x: 0, y: 0 }
  const blocks = Array.from({ length: count }, (_, n) => ({
    id: `b${n}`,
    type: "Set variable",
    options: { variableId: `v${n + 1}`, expressionToEvaluate: `{{V ${n}}} + 1` },
  }))
  const flow = flowSchema.parse({
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e", graphCoordinates }],
    groups: [{ id: "g", title: "Compute", graphCoordinates, blocks }],
    edges: [{ id: "e", from: { eventId: "start" }, to: { groupId: "g" } }],
    variables: Array.from({ length: count + 1 }, (_, n) => ({
      id: `v${n}`,
      name: `V ${n}`,
      value: "1",
    })),
    theme: {},
    settings: {},
  })
  return prepareBot(flow, "v", "b")
}

/** As many as wait at once, of four owners; none of them gets its answer before all have asked. */
async function printWaiting(sandbox: Sandbox): Promise<void> {
  const count = 24
  const asking: Script = { ...program, code: "return await fetch('https://a.test')" }
  const before = process.memoryUsage.rss()
  const start = performance.now()
  const answers: ((text: string) => void)[] = []
  let taken = ""
  const fetch = () =>
    new Promise<string>((resolve) => {
      if (answers.push(resolve) < count) return
      const megabytes = (process.memoryUsage.rss() - before) / 1e6
      taken = `${Math.round(performance.now() - start)} ms, ${Math.round(megabytes)} MB`
      for (const answer of answers) answer("ok")
    })
  const owners = Array.from({ length: count }, (_, index) => `owner${index % 4}`)
  await Promise.all(owners.map((owner) => sandbox.run([asking], { owner, fetch })))
  console.log(`${count} that wait at a time     ${taken}`)
}

async function printDelays(sandbox: Sandbox): Promise<void> {
  const idle = () => new Promise((resolve) => setTimeout(resolve, 1_000))
  await printDelay("nothing", idle)
  for (const [name, code] of Object.entries(hostileScripts)) {
    await printDelay(`a${/^[aeiou]/.test(name) ? "n" : ""} ${name}`, () =>
      runHostile(sandbox, code, 1_000),
    )
  }
}

async function printDelay(name: string, work: () => Promise<unknown>): Promise<void> {
  const delays: number[] = []
  for (let i = 0; i < rounds; i++) delays.push(await longestDelayMs(work))
  const [best, median] = [0, 0.5].map((part) => quantile(delays, part).toFixed(1))
  const row = `longest event-loop delay while ${name} runs`
  console.log(`${row.padEnd(56)} ${median} ms, at best ${best} (wanted: below 20)`)
}

async function evaluate(sandbox: Sandbox, owner: string): Promise<void> {
  const [outcome] = await sandbox.run([program], { owner })
  if (!outcome || !("value" in outcome) || outcome.value !== 42) throw new Error("Wrong outcome")
}

async function crowd(sandbox: Sandbox, count: number): Promise<void> {
  const callers = Array.from({ length: 16 }, async (_, caller) => {
    for (let i = 0; i < count / 16; i++) await evaluate(sandbox, `owner${caller}`)
  })
  await Promise.all(callers)
}

async function time(work: () => Promise<void>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length * part)] ?? Number.NaN
}

/** What honest bots use of the budget of a call, and how long flows take that try to use all of it. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import fc from "fast-check"
import { flowOfImport, importedBotSchema } from "../../src/authoring/upgrade/importedBot.ts"
import { type Flow, prepareBot } from "../../src/engine/bot.ts"
import { liveLimits } from "../../src/engine/budget/limits.ts"
import type { Call, Outcome } from "../../src/engine/calls.ts"
import { openSession } from "../../src/engine/session.ts"
import type { EngineDeps, Turn } from "../../src/engine/turn/run.ts"
import { reply, resume, start } from "../../src/engine/turn/turn.ts"
import { AppError } from "../../src/errors.ts"
import { expensiveFlow } from "../../test/support/expensiveFlows.ts"
import { spend } from "../../test/support/spending.ts"

const fixtures = new URL("../../test/fixtures/bots/", import.meta.url).pathname
const repliesPerChat = 40
const chatsPerBot = 30

/** `npm run bench fuel [files or folders of bots]`; the fixtures when none is named. */
export function run(): void {
  const named = process.argv.slice(3)
  const files = (named.length > 0 ? named : [fixtures]).flatMap(filesIn)
  console.log(`What bots use of the ${liveLimits.fuel} units of a call, at most over random chats:`)
  console.table(files.map((file) => ({ bot: basename(file, ".json"), ...useOf(readFlow(file)) })))
  huntExpensive(Number(process.env.BENCH_FLOWS ?? 300), Number(process.env.BENCH_SEED ?? 1))
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(path, name))
}

function readFlow(file: string): Flow {
  const bot = importedBotSchema.parse(JSON.parse(readFileSync(file, "utf8")))
  let ids = 0
  return flowOfImport(bot, () => `id${ids++}`)
}

/** The dearest call of some chats in which every question is answered with what it may take. */
function useOf(flow: Flow): { calls: number; units: number; "of the budget": string } {
  const root = prepareBot(flow, "v", "b")
  let ids = 0
  const world = {
    now: () => Date.UTC(2026, 0, 1),
    random: Math.random,
    newId: () => `id${ids++}`,
    newResultId: () => `r${ids++}`,
  }
  const stage: EngineDeps = { world, bots: new Map([["v", root]]), limits: liveLimits }
  let [calls, units] = [0, 0]
  const settle = (first: Turn): Turn => {
    let turn = first
    while (turn.call) turn = resume(stage, turn, outcomeOf(turn.call))
    calls += 1
    units = Math.max(units, turn.continuation.spent)
    return turn
  }
  const opening = { bot: root, isPreview: false, isStreamEnabled: false, isProgressShown: true }
  for (let chat = 0; chat < chatsPerBot; chat++) {
    let turn = settle(start(stage, openSession({ ...opening, resultId: "r" })))
    for (let times = 0; times < repliesPerChat && turn.session.at !== undefined; times++) {
      const next = nextTurn(() => settle(reply(stage, turn.session, textOf(answerTo(turn)))))
      if (!next) break
      turn = next
    }
  }
  return { calls, units, "of the budget": `${((100 * units) / liveLimits.fuel).toFixed(2)} %` }
}

/** Undefined: refused, for what the bot lacks. */
function nextTurn(act: () => Turn): Turn | undefined {
  try {
    return act()
  } catch (error) {
    if (error instanceof AppError && error.reason === undefined) return undefined
    throw error
  }
}

const textOf = (text: string) => ({ type: "text", text }) as const

const answers = ["Ann", "ann@example.com", "+33601020304", "2026-05-01", "https://e.com/a.png", "3"]

function answerTo({ input }: Turn): string {
  const ids = input && "items" in input ? (input.items ?? []).map(({ id }) => id) : []
  const possible = [...answers, ...ids, ...ids, ...ids]
  return possible[Math.floor(Math.random() * possible.length)] ?? ""
}

function outcomeOf(call: Call): Outcome {
  if (call.kind === "script") return { results: call.scripts.map(() => ({ value: "1" })) }
  if (call.kind === "history") return { lines: [] }
  return { failed: true, description: "not here" }
}

function huntExpensive(count: number, seed: number): void {
  const pair = fc.tuple(expensiveFlow, fc.constantFrom("1", "on", "+1 ".repeat(300)))
  const steps = fc.sample(pair, { numRuns: count, seed }).flatMap(([flow, message]) =>
    spend(flow, message).map(({ turn, error, cpuMs }) => ({
      ms: Math.round(cpuMs),
      units: turn?.continuation.spent ?? liveLimits.fuel,
      blocks: flow.groups.map(({ blocks }) => blocks.map(({ type }) => type).join(", ")).join("; "),
      refused: error ? error.message.slice(0, 60) : "",
    })),
  )
  const dearest = steps.toSorted((one, other) => other.ms - one.ms).slice(0, 10)
  console.log(`The slowest of ${steps.length} calls of ${count} expensive flows (seed ${seed}):`)
  console.table(dearest)
  const budgetMs = liveLimits.fuel / 10_000
  const times = ((dearest[0]?.ms ?? 0) / budgetMs).toFixed(1)
  console.log(`A budget is ${budgetMs} ms; the slowest call took ${times} times that.`)
}

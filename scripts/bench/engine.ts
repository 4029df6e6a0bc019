/** Turns per second of the engine alone: no database, no HTTP, one core. */
import { randomUUID } from "node:crypto"
import { respond } from "../../src/chat/continueChat.ts"
import { type Flow, flowSchema, prepareBot } from "../../src/engine/bot.ts"
import { liveLimits } from "../../src/engine/budget/limits.ts"
import { openSession, readSession, type Session, writeSession } from "../../src/engine/session.ts"
import type { EngineDeps } from "../../src/engine/turn/run.ts"
import { reply, start } from "../../src/engine/turn/turn.ts"
import { median } from "./load.ts"

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const durationMs = Number(process.env.BENCH_MS ?? 1_000)
const demanded = 20_000

/** What one turn includes: it takes the state and gives the next. */
const scopes: Record<string, (stage: EngineDeps, state: State) => State> = {
  "reply()": (stage, { session }) => ({ session: reply(stage, session, words).session, text: "" }),
  "state text -> reply() -> answer text, state text": (stage, state) => {
    const turn = reply(stage, readSession(state.text), words)
    JSON.stringify(respond(turn))
    return { session: turn.session, text: writeSession(turn.session) }
  },
}

type State = { session: Session; text: string }

const words = { type: "text", text: "A reply of some words" } as const

/** Prints turns per second for flows of 20, 200 and 2,000 groups of ten blocks. */
export function run(): void {
  const figures = Object.entries(scopes).flatMap(([scope, turn]) =>
    [20, 200, 2_000].map((groups) => {
      const rates = Array.from({ length: rounds }, () => rateOf(groups, turn))
      const perSecond = Math.round(median(rates))
      return {
        turn: scope,
        groups,
        blocks: groups * 10,
        "turns/s": perSecond,
        slowest: Math.round(Math.min(...rates)),
        fastest: Math.round(Math.max(...rates)),
        "µs/turn": Number((1e6 / perSecond).toFixed(1)),
      }
    }),
  )
  console.table(figures)
  const [first] = figures
  const verdict = (first?.["turns/s"] ?? 0) >= demanded ? "reached" : "missed"
  console.log(`Demanded: ${demanded} turns/s of a bot of 200 blocks: ${verdict}`)
  console.log(
    `Median of ${rounds} rounds of ${durationMs} ms of processor time; Node ${process.version}.`,
  )
}

const flows = new Map<number, Flow>()

function rateOf(groups: number, turn: (stage: EngineDeps, state: State) => State): number {
  const flow = flows.get(groups) ?? quiz(groups)
  flows.set(groups, flow)
  const bot = prepareBot(flow, "v", "b")
  const stage: EngineDeps = {
    world: { now: Date.now, random: Math.random, newId: randomUUID, newResultId: randomUUID },
    bots: new Map([["v", bot]]),
    limits: liveLimits,
  }
  const opening = {
    bot,
    isPreview: false,
    isStreamEnabled: false,
    isProgressShown: true,
    resultId: "r",
  }
  const { session } = start(stage, openSession(opening))
  let state: State = { session, text: writeSession(session) }
  const take = (turns: number) => {
    for (let done = 0; done < turns; done++) state = turn(stage, state)
  }
  // Once through the flow: what is prepared once per version is not what is measured.
  take(groups * 2)
  let turns = 0
  // Time of the processor, not of the clock: others may be at work on the same machine.
  const startedAt = process.cpuUsage()
  let passedMs = 0
  while (passedMs < durationMs) {
    take(100)
    turns += 100
    const { user, system } = process.cpuUsage(startedAt)
    passedMs = (user + system) / 1000
  }
  return (turns / passedMs) * 1000
}

const place = { x: 0, y: 0 }
const say = (id: string, ...texts: string[]) => ({
  id,
  type: "text",
  content: { richText: texts.map((text) => ({ type: "p", children: [{ text }] })) },
})

/** Each group asks two things, tells what it heard, sets a variable and branches to the next. */
function quiz(groups: number): Flow {
  const flow = {
    version: "6.1",
    events: [{ id: "start", type: "start", outgoingEdgeId: "e0", graphCoordinates: place }],
    groups: Array.from({ length: groups }, (_, n) => quizGroup(n, groups)),
    edges: Array.from({ length: groups }, (_, n) => ({
      id: `e${n}`,
      from: { blockId: "any" },
      to: { groupId: `g${n}` },
    })),
    variables: Array.from({ length: 20 }, (_, n) => ({ id: `v${n}`, name: `Name ${n}` })),
    theme: { general: { progressBar: { isEnabled: true } } },
    settings: {},
  }
  // The largest is beyond what is accepted, so that the measure shows where size would tell.
  return groups <= 200 ? flowSchema.parse(flow) : (flow as unknown as Flow)
}

function quizGroup(n: number, groups: number) {
  const [heard, told] = [n % 20, (n + 7) % 20]
  const next = `e${(n + 1) % groups}`
  const comparison = {
    id: "c",
    variableId: `v${heard}`,
    comparisonOperator: "Contains",
    value: "{{Name 19}} never",
  }
  return {
    id: `g${n}`,
    title: `Group ${n}`,
    graphCoordinates: place,
    blocks: [
      say(`${n}-hello`, `Question ${n}`, "", `Last time you said {{Name ${heard}}}`),
      say(`${n}-ask`, "What is your name?"),
      { id: `${n}-name`, type: "text input", options: { variableId: `v${heard}` } },
      say(`${n}-thanks`, `Thank you, {{Name ${heard}}}!`),
      { id: `${n}-plain`, type: "text", content: { richText: [] } },
      {
        id: `${n}-set`,
        type: "Set variable",
        options: { variableId: `v${told}`, expressionToEvaluate: `{{Name ${heard}}}` },
      },
      say(`${n}-again`, "And what else?"),
      { id: `${n}-else`, type: "text input", options: { variableId: `v${told}` } },
      {
        id: `${n}-if`,
        type: "Condition",
        items: [{ id: `${n}-item`, outgoingEdgeId: "e0", content: { comparisons: [comparison] } }],
      },
      say(`${n}-on`, "On to the next one."),
    ].map((block, index) => (index === 9 ? { ...block, outgoingEdgeId: next } : block)),
  }
}

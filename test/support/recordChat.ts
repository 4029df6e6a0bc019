/** Talks to a flow in the engine alone, and keeps of it what the service records. */
import { type Bot, type Flow, prepareBot } from "../../src/engine/bot.ts"
import { liveLimits } from "../../src/engine/budget/fuel.ts"
import { type Call, isFailure, type Outcome, type Script } from "../../src/engine/calls.ts"
import { type TurnRows, turnsOf } from "../../src/engine/recorded/recordedTurn.ts"
import { callStatus, type StoredCall, traceOf } from "../../src/engine/recorded/trace.ts"
import type { KeptVariable, ResultRecord } from "../../src/engine/records.ts"
import type { Message } from "../../src/engine/schema/message.ts"
import { createSession, type Session, type SessionOptions } from "../../src/engine/session.ts"
import type { EngineDeps, Turn } from "../../src/engine/turn/run.ts"
import { fallSilent, type Steering, steer } from "../../src/engine/turn/steer.ts"
import { reply, resume, start } from "../../src/engine/turn/turn.ts"
import { AppError } from "../../src/lib/errors.ts"
import type { Replayed } from "../../src/results/replay/difference.ts"
import type { RecordedChat } from "../../src/results/replay/recordedChat.ts"
import { replayChat } from "../../src/results/replay/replayChat.ts"
import { createEffort, type Effort } from "../../src/results/replay/replaySide.ts"
import { runScripts, testWorld } from "./outside.ts"

/** What happens in a turn: a message, seconds of silence, or steering from outside. */
export type Happening = string | Message | undefined | { seconds: number } | { steering: Steering }

/** What else a chat has: the linked bots by id, and how calls are answered. */
type Parts = Partial<SessionOptions> & {
  linked?: Record<string, Flow>
  /** Answers calls but those of scripts, links and histories; absent: all of them fail. */
  answer?: (call: Call, nth: number) => Outcome
  /** What the dice fall to. */
  random?: () => number
  opening?: Message
  fuel?: number
}

/** A recorded chat with the bots that it met. */
export type Recording = { chat: RecordedChat; bots: Map<string, Bot>; turns: Turn[] }

const botId = "bot"

/** Talks to a flow and records it. */
export function recordChat(
  flow: Flow,
  happenings: readonly Happening[],
  parts: Parts = {},
): Recording {
  const { linked = {}, opening, random, fuel = liveLimits.fuel } = parts
  const resultId = `result-${++recorded}`
  const bot = prepareBot(flow, "v1", botId)
  const bots = new Map([["v1", bot]])
  for (const [id, kid] of Object.entries(linked)) bots.set(id, prepareBot(kid, id, `bot-${id}`))
  const rows: Record<string, Rows> = {}
  const turns: Turn[] = []
  let variables: readonly KeptVariable[] = []
  let at = 1_000_000
  const world = { ...testWorld(), now: () => at - 5, ...(random && { random }) }
  let session: Session = createSession({
    ...{ bot, isPreview: false, isStreamEnabled: false, resultId },
    ...parts,
  })
  const take = (begin: (deps: EngineDeps) => Turn) => {
    at += 60_000
    const deps = { world, bots, limits: { fuel } }
    const calls: StoredCall[] = []
    let turn = begin(deps)
    while (turn.call) {
      const { call } = turn
      const outcome = outcomeOf(call, { ...parts, bots, session, rows, resultId })
      const status = isFailure(outcome)
        ? callStatus.failed
        : "status" in outcome
          ? outcome.status
          : callStatus.done
      const isNoted = call.kind !== "bot" && call.kind !== "history" && call.kind !== "inboundCall"
      if (isNoted) calls.push([turn.visits.at(-1)?.[1] ?? "", call.kind, status, 1])
      turn = resume(deps, turn, outcome)
    }
    turns.push(turn)
    // A reply that is refused and changes nothing is not stored.
    if (turn.results.length === 0 && calls.length === 0) return
    session = turn.session
    for (const record of turn.results) {
      const trace = record.resultId === resultId ? traceOf(turn, calls) : undefined
      rows[record.resultId] ??= { answers: [], steps: [] }
      addRows(rows[record.resultId] ?? { answers: [], steps: [] }, record, { at, trace })
      if (record.resultId === resultId && record.row) variables = record.row.variables
    }
  }
  const happen = (happening: Happening) => {
    if (typeof happening === "object" && "seconds" in happening) {
      return take((deps) => fallSilent(deps, session, happening.seconds))
    }
    if (typeof happening === "object" && "steering" in happening) {
      return take((deps) => steer(deps, session, happening.steering))
    }
    const message =
      typeof happening === "string" ? ({ type: "text", text: happening } as const) : happening
    return take((deps) => reply(deps, session, message))
  }
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
    }
  }
  attempt(() => take((deps) => start(deps, session, { opening, openingRule: "always" })))
  for (const happening of happenings) if (turns.length > 0) attempt(() => happen(happening))
  const { [resultId]: own = { answers: [], steps: [] }, ...others } = JSON.parse(
    JSON.stringify(rows),
    (key, value) => (key === "createdAt" ? new Date(value) : value),
  ) as Record<string, Rows>
  const recordedTurns = turnsOf(own, {
    begun: { versionId: "v1", createdAt: new Date(1_060_000) },
    linked: new Map(Object.entries(others)),
  })
  return { chat: { resultId, version: "v1", turns: recordedTurns, variables }, bots, turns }
}

let recorded = 0

/** Replays a recording against another flow of the same bot; scripts run without a sandbox. */
export function replay(
  { chat, bots }: Recording,
  flow: Flow,
  effort: Effort = createEffort(5_000_000),
): Replayed {
  const cast = { bots, after: prepareBot(flow, "draft", botId) }
  const playing = replayChat(chat, cast, effort)
  let step = playing.next()
  while (!step.done) {
    const scripts: Script[] = step.value
    step = playing.next(runScripts({ kind: "script", scripts }).results)
  }
  return step.value
}

type Rows = { answers: TurnRows["answers"][number][]; steps: TurnRows["steps"][number][] }

/** The rows of a turn, as `liveStore.ts` stores them. */
function addRows(
  rows: Rows,
  { answers, edges, marks, changes, shown }: ResultRecord,
  { at, trace }: { at: number; trace: ReturnType<typeof traceOf> },
): void {
  const createdAt = new Date(at)
  const parts = shown?.parts ?? null
  for (const [index, { blockId, content, attachedFileUrls = null }] of answers.entries()) {
    const own = index === 0 ? parts : null
    rows.answers.push({ createdAt, blockId, content, attachedFileUrls, shown: own })
  }
  const here = answers.length > 0 ? null : parts
  const edgeIds = [...edges, ...marks]
  if (edgeIds.length + changes.length === 0 && !here && !trace) return
  rows.steps.push({
    ...{ createdAt, shown: here, edgeIds, trace: trace ?? null },
    setVariables: changes.length > 0 ? changes : null,
  })
}

function outcomeOf(
  call: Call,
  {
    answer,
    bots,
    rows,
  }: Parts & { bots: Map<string, Bot>; rows: Record<string, Rows> } & {
    session: Session
    resultId: string
  },
): Outcome {
  if (call.kind === "script") return runScripts(call)
  if (call.kind === "bot") {
    const bot = [...bots.values()].find(({ id }) => id === call.botId)
    return bot ? { version: bot.version } : failed
  }
  if (call.kind === "history") {
    const own = rows[call.resultId]
    const passed = own ? turnsOf(own).flatMap((turn) => turn.passed) : []
    return { lines: passed.flatMap(({ line }) => (line ? [line] : [])) }
  }
  return answer?.(call, calls++) ?? failed
}

let calls = 0

const failed = { failed: true, description: "Nobody answers" } as const

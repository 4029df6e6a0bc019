/** Plays a bot without a service: the engine alone, in a deterministic world. */
import type { ScriptFetch } from "../../effects/sandbox/sandbox.ts"
import {
  type KnownVariables,
  mapTexts,
  openTurnVariables,
  type Secrets,
} from "../../effects/variables/turnVariables.ts"
import { type Bot, type Flow, prepareBot } from "../../engine/bot.ts"
import { liveLimits } from "../../engine/budget/fuel.ts"
import {
  type Call,
  isFailure,
  type Outcome,
  type Script,
  type ScriptOutcome,
} from "../../engine/calls.ts"
import type { Message } from "../../engine/schema/message.ts"
import { createSession, type Session, writeSession } from "../../engine/session.ts"
import type { EngineDeps, Turn } from "../../engine/turn/run.ts"
import { fallSilent } from "../../engine/turn/steer.ts"
import { reply, resume, type StartRequest, start } from "../../engine/turn/turn.ts"
import { memoize } from "../../lib/memoize.ts"
import type { TestBudget } from "../testBudget.ts"
import { createDice } from "./dice.ts"

/** Runs scripts: the sandbox or a substitute. */
export type RunScripts = (
  scripts: readonly Script[],
  how: { fetch: ScriptFetch; runMs?: number },
) => Promise<ScriptOutcome[]>

/** Calls to other systems; the rest is answered here. */
export type OutsideCall = Exclude<Call, { kind: "script" | "bot" | "history" | "inboundCall" }>

/** The world of a played bot. */
export type PlayParts = {
  flow: Flow
  /** The flows that links lead to, by id of their bots. */
  linked?: Readonly<Record<string, Flow>> | undefined
  /** The time of every clock, in milliseconds since 1970. */
  clock: number
  seed: number
  runScripts: RunScripts
  /** Answers calls to other systems. */
  outside(call: OutsideCall): Outcome | Promise<Outcome>
  /** Answers the requests of scripts. */
  fetch: ScriptFetch
  /** The next value of the dice; undefined or absent: from the seed. */
  draw?: (() => number | undefined) | undefined
  /** Budget of all turns together; absent: each has that of a chat. */
  budget?: TestBudget | undefined
  /** The variables of the workspace, in place of whose secrets tests have some of their own; absent: none. */
  workspace?: KnownVariables | undefined
  /** Awaited before every step of the engine, to yield to others. */
  pause?: (() => Promise<void>) | undefined
}

/** A playable bot. Sessions are plain JSON, so a chat may continue from one several times. */
export type Play = ReturnType<typeof createPlay>

type Begun = StartRequest & { variables?: Record<string, unknown> | undefined }

/** The version of the played bot; linked bots have their ids. */
export const rootVersion = "played"

/** The result that it writes to. */
export const playedResultId = "00000000-0000-7000-8000-000000000000"

/** Max consecutive reports of a client. */
export const maxReports = 100

export function createPlay(parts: PlayParts) {
  const { flow, linked = {} } = parts
  const bots = new Map([[rootVersion, preparedBot(flow, rootVersion)]])
  for (const [id, each] of Object.entries(linked)) bots.set(id, preparedBot(each, id))
  const { shown: workspace, secrets } = openTurnVariables(parts.workspace ?? new Map())
  const depsAt = (step: number): EngineDeps => {
    const dice = createDice(parts.seed * 1_000_003 + step)
    let ids = 0
    let steps = 0
    return {
      world: {
        now: () => parts.clock,
        random: () => parts.draw?.() ?? dice(),
        newId: () => `id${step}x${++ids}`,
        newResultId: () => resultIdOf(step, ++ids),
      },
      bots,
      workspace,
      limits: liveLimits,
      stopwatch: () => ++steps,
    }
  }
  const run = async (
    { step }: Session,
    begin: (deps: EngineDeps) => Turn,
    body?: string,
  ): Promise<Turn> => {
    const deps = depsAt(step)
    const inbound = body === undefined ? [] : [{ body }]
    await parts.pause?.()
    const charge = parts.budget?.grantTurn(deps.limits.fuel)
    let turn = begin(deps)
    while (turn.call) {
      await parts.pause?.()
      const outcome =
        turn.call.kind === "inboundCall"
          ? (inbound.pop() ?? {})
          : await answerWith(secrets, parts, turn.call)
      turn = resume(deps, turn, outcome)
    }
    // A failed turn is charged as a whole.
    charge?.(turn.continuation.spent)
    // Refuses a session that is too large, as a service does.
    writeSession(turn.session)
    return turn
  }
  return {
    bots,
    /** Starts a chat; variables by name. Rejects with an `AppError` when the engine refuses. */
    start: async ({ variables, ...request }: Begun = {}) => {
      const session = opened(bots, variables)
      return await run(session, (deps) => start(deps, session, request))
    },
    reply: (session: Session, message: Message | undefined) =>
      run(session, (deps) => reply(deps, session, message)),
    /** Reports a number of seconds of silence. */
    fallSilent: (session: Session, seconds: number) =>
      run(session, (deps) => fallSilent(deps, session, seconds)),
    /** Another system calls the block that waits for it; the body is JSON. */
    receive: (session: Session, body: string) =>
      run(session, (deps) => reply(deps, session, undefined), body),
  }
}

/** Cached: many conversations use one flow. */
function preparedBot(flow: Flow, id: string): Bot {
  const known = preparedBots(flow)
  const bot = known.get(id) ?? prepareBot(flow, id, id)
  known.set(id, bot)
  return bot
}

const preparedBots = memoize((_: Flow) => new Map<string, Bot>())

function opened(bots: ReadonlyMap<string, Bot>, prefilled: Record<string, unknown> | undefined) {
  const bot = bots.get(rootVersion)
  if (!bot) throw new Error("The bot was not prepared")
  const flags = { isPreview: false, isStreamEnabled: false }
  const session = createSession({ bot, prefilled, ...flags, resultId: playedResultId })
  // No results are stored, so the session keeps the lines for transcripts.
  return bot.makesTranscripts ? { ...session, lines: [] } : session
}

type AnsweredCall = Exclude<Call, { kind: "inboundCall" }>

/** As on a service, others get the secrets of a call, and the bot `•••` in place of those that they return. */
async function answerWith(
  secrets: Secrets | undefined,
  parts: PlayParts,
  call: AnsweredCall,
): Promise<Outcome> {
  const used = secrets?.usedIn(call)
  if (!used) return await answer(parts, call)
  if (isFailure(used)) return call.kind === "script" ? { results: [used] } : used
  const { reveal, redact } = used
  const fetch: ScriptFetch = async (request) => redact(await parts.fetch(mapTexts(request, reveal)))
  const sent = call.kind === "script" ? call : mapTexts(call, reveal)
  return redact(await answer({ ...parts, fetch }, sent))
}

async function answer(
  { linked = {}, runScripts, outside, fetch }: PlayParts,
  call: AnsweredCall,
): Promise<Outcome> {
  if (call.kind === "script") return { results: await runScripts(call.scripts, { fetch }) }
  if (call.kind === "history") return { lines: [] }
  if (call.kind !== "bot") return await outside(call)
  if (Object.hasOwn(linked, call.botId)) return { version: call.botId }
  return { failed: true, description: `Bot ${call.botId} does not exist` }
}

/** Whether the chat continues once the client has shown all messages and run all actions. */
export function awaitsClient(turn: Pick<Turn, "isWaiting" | "input" | "actions">): boolean {
  return turn.isWaiting && !turn.input && !awaitsCall(turn)
}

/** Whether the waiting block needs a call of another system. */
export function awaitsCall({ actions }: Pick<Turn, "actions">): boolean {
  return actions.some(({ type }) => type === "listenForWebhook")
}

/** Looks like a UUIDv7, as ids of results do. */
function resultIdOf(step: number, id: number): string {
  const hex = (value: number, length: number) => value.toString(16).padStart(length, "0")
  return `00000000-0000-7000-8000-${hex(step, 6)}${hex(id, 6)}`
}

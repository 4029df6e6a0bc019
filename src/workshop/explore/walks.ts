/** Walks through a bot: the move at each step, and its outcome. */
import { endlessLoops } from "../../authoring/lint/reach.ts"
import type { KnownVariables } from "../../effects/variables/turnVariables.ts"
import type { ScriptOutcome } from "../../engine/calls.ts"
import type { Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { isOver } from "../../engine/turn/settle.ts"
import { cut } from "../../lib/cut.ts"
import { AppError, blockIdOf } from "../../lib/errors.ts"
import { memoize } from "../../lib/memoize.ts"
import type { TestStep } from "../files/testFileSchema.ts"
import { awaitsCall, awaitsClient, createPlay, maxReports, type PlayParts } from "../play/play.ts"
import { send } from "../play/send.ts"
import { type ChanceOutcomes, createChances, isFailure } from "./chances.ts"
import { askedAgain, beginning, type Fault, passTurn, type Sofar } from "./faultsIn.ts"
import { type FlowFacts, factsOf } from "./flowFacts.ts"
import { hasTimedOut } from "./noticed.ts"

/** One move: a step of a test, or without one the start, or a report of the client. */
export type Move = {
  step?: TestStep | undefined
  /** Of a start: prefilled values by name. */
  variables?: Record<string, string> | undefined
  /** The way of each chance; further ones go the usual way. */
  plan: readonly number[]
}

export type Place = {
  sofar: Sofar
  session: Session
  turn: Pick<Turn, "input" | "isWaiting" | "actions">
}

/** The outcome of a move. */
export type Stride = {
  /** The number of ways of each chance. */
  ways: readonly number[]
  drawn: ChanceOutcomes
  faults: Fault[]
  /** Absent: the engine refused. */
  turn?: Turn | undefined
  /** Absent: the chat is over. */
  to?: Place | undefined
}

export type Walker = {
  facts: FlowFacts
  /** Makes a move from a place; the first one is the start. */
  go(from: Place | undefined, move: Move): Promise<Stride>
}

export type WalkParts = Pick<PlayParts, "flow" | "linked" | "runScripts" | "clock">

const timeout: ScriptOutcome = { failed: true, description: "Timeout", reason: "timeout" }

/** Every variable of the workspace that flows name, with its name as value: only the service knows that. */
function namedVariables(flows: unknown): KnownVariables {
  const named = JSON.stringify(flows).matchAll(/\{\{\$(\w{1,64})\}\}/g)
  return new Map(Array.from(named, ([, name = ""]) => [name, { value: name, isSecret: false }]))
}

/** Prepares a bot for walks. */
export function createWalker({ flow, linked, runScripts, clock }: WalkParts): Walker {
  const facts = factsOf(flow)
  let chances = createChances(facts, [])
  const tooSlow = new Set<string>()
  let endless = 0
  const known = new Set(Object.keys(linked ?? {}))
  const play = createPlay({
    ...{ flow, linked, clock, seed: 0, workspace: namedVariables([flow, linked]) },
    runScripts: async (scripts, how) => {
      // Scripts that timed out are not run again.
      const isKnown = scripts.some(({ code }) => tooSlow.has(code))
      const outcomes = isKnown ? scripts.map(() => timeout) : await runScripts(scripts, how)
      if (!hasTimedOut(outcomes)) return outcomes
      for (const { code } of scripts) tooSlow.add(code)
      endless += 1
      return outcomes
    },
    outside: (call) => chances.answer(call),
    fetch: (request) => chances.fetch(request),
    draw: () => chances.draw(),
  })
  const take = async (from: Place | undefined, { step = {}, variables }: Move): Promise<Turn> =>
    await (from ? send(play, from.session, step) : play.start({ variables }))
  return {
    facts,
    async go(from, move) {
      chances = createChances(facts, move.plan)
      endless = 0
      const { ways, drawn } = chances
      const isReply = move.step !== undefined
      const before = from?.sofar ?? beginning(facts, Object.keys(move.variables ?? {}))
      try {
        const turn = await take(from, move)
        const failures = [...drawn.http, ...drawn.calls].filter(isFailure).length
        const { faults, sofar } = passTurn(facts, before, {
          ...{ turn, isReply, failures, endless },
          linked: known,
        })
        const { session } = turn
        const to = isOver(turn) ? undefined : { sofar, session, turn }
        return { ways, drawn, faults, turn, to }
      } catch (error) {
        return { ways, drawn, faults: [refusalOf(error, facts, from)] }
      }
    },
  }
}

function refused(message: string, path: Fault["path"]): Fault {
  return { rule: "reply-refused", path, message: `The service refuses: ${cut(message, 500)}` }
}

const loopPlaces = memoize(
  ({ context }: FlowFacts) =>
    new Set(endlessLoops(context).flatMap((loop) => loop.map(({ path }) => path.join()))),
)

function refusalOf(error: unknown, facts: FlowFacts, from: Place | undefined): Fault {
  const { message } = error instanceof Error ? error : new Error(String(error))
  const here = placeOf(facts, from?.session.at)
  if (!(error instanceof AppError)) {
    return { rule: "crash", path: here, message: `The engine fails: ${cut(message, 500)}` }
  }
  // Blocks of linked bots have no path in this one.
  const path = facts.blocks.get(blockIdOf(error) ?? "")?.entry.path ?? here
  if (error.reason === "CHAT_TOO_LARGE") return { rule: "limit-exceeded", path, message }
  if (error.reason !== "FLOW_TOO_EXPENSIVE") return refused(message, path)
  if (!loopPlaces(facts).has(path.join())) {
    const words = "A call exceeds its work limit here"
    return { rule: "limit-exceeded", path, message: words }
  }
  const words = "The chat loops until it is stopped"
  return { rule: "loop-without-input", path, message: words }
}

function placeOf({ blocks }: FlowFacts, blockId: string | undefined): Fault["path"] {
  return blocks.get(blockId ?? "")?.entry.path ?? []
}

export type Walked = { strides: Stride[]; faults: Fault[] }

/**
 * Repeats a walk from the start like a test: the client reports before each reply and at the end. Undefined:
 * a move is impossible.
 */
export async function walkAgain(
  walker: Walker,
  moves: readonly Move[],
): Promise<Walked | undefined> {
  const strides: Stride[] = []
  const [start = { plan: [] }, ...others] = moves
  let place: Place | undefined
  const go = async (move: Move): Promise<void> => {
    const from = place
    const stride = await walker.go(from, move)
    strides.push(stride)
    place = stride.to
    const isReply = move.step !== undefined
    const again =
      isReply && stride.turn && from && askedAgain(walker.facts, from.sofar, stride.turn)
    if (again) stride.faults.push(again)
  }
  const report = async (): Promise<void> => {
    for (let reports = 0; reports < maxReports && place && awaitsClient(place.turn); reports++) {
      await go({ plan: [] })
    }
  }
  await go(start)
  for (const move of others) {
    const { step } = move
    if (step?.user !== undefined || step?.silence !== undefined) await report()
    if (!place || !isPossible(place, move)) return undefined
    await go(move)
  }
  await report()
  return { strides, faults: strides.flatMap(({ faults }) => faults) }
}

function isPossible({ turn }: Place, { step }: Move): boolean {
  if (step === undefined || step.client !== undefined) return awaitsClient(turn)
  if (step.webhook !== undefined) return awaitsCall(turn)
  return turn.input !== undefined
}

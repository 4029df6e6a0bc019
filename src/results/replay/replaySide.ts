/** One of the two replays of a chat: a version in a world that is the same for both. */
import { callsOut } from "../../effects/sandbox/sandbox.ts"
import type { Bot } from "../../engine/bot.ts"
import { liveLimits } from "../../engine/budget/fuel.ts"
import type { Assignment, Call, Outcome, Script, ScriptOutcome } from "../../engine/calls.ts"
import type { KeptVariable } from "../../engine/records.ts"
import type { Message } from "../../engine/schema/message.ts"
import type { Variable, VariableValue } from "../../engine/schema/variable.ts"
import type { RunningBot, Session } from "../../engine/session.ts"
import { type Passed, passedIn, type SpokenLine, spoken } from "../../engine/shown.ts"
import type { EngineDeps, Turn } from "../../engine/turn/run.ts"
import { fallSilent, steer } from "../../engine/turn/steer.ts"
import { reply, resume, resumeRecorded, start } from "../../engine/turn/turn.ts"
import type { WorkspaceVariables } from "../../engine/variables/workspaceVariables.ts"
import { AppError } from "../../lib/errors.ts"
import { memoize } from "../../lib/memoize.ts"

/** A replay between two turns. */
export type Side = {
  session: Session
  bots: ReadonlyMap<string, Bot>
  /** The conversation so far, for transcripts. */
  past: SpokenLine[]
  workspace: WorkspaceVariables | undefined
}

/** A variable by the id and the name that it had, and a value of it. */
export type KnownValue = { id: string; name: string; value: VariableValue }

/** The start of a turn. */
export type Move =
  | { message: Message | undefined }
  /** Silence of this length. */
  | { seconds: number }
  /** The client or another system set variables; `goesOn`: the waiting block continues. */
  | { set: readonly KnownValue[]; goesOn: boolean }

/** The answer to a call that is never made: an outcome, or the values that its block set. */
export type Answered = { outcome: Outcome } | { set: readonly KnownValue[] }

/** Clock and dice of a turn. */
export type Chance = {
  at: number
  /** How the first draws fall: a bit for each, up or down. */
  pattern: number
  draws: number
}

/** Draws of one turn that are tried both ways. */
export const maxDraws = 4

/** The rest of a replay's work budget, in units of fuel. */
export type Effort = { left: number; atLastPause: number }

/** Opens the work that the replay of a chat may take. */
export const createEffort = (units: number): Effort => ({ left: units, atLastPause: units })

/** Units, some 20 ms, after which the replay yields. */
const unitsAtOnce = 200_000

/** The outcomes of the scripts of a turn, so that both replays get the same of a script that draws. */
export type Known = Map<string, ScriptOutcome[]>

/** The circumstances of a turn. */
export type Circumstances = {
  chance: Chance
  effort: Effort
  known: Known
  /** Undefined: the record does not answer this, and the turn stops there. */
  answer(call: Call, turn: Turn): Answered | undefined
}

/** A played turn, with a call if it stopped there, or the refusal. */
export type Played = Turn | AppError

/**
 * The caller runs the yielded scripts in the sandbox: none of them calls the outside. No scripts: a pause.
 */
export type Playing<Result> = Generator<Script[], Result, ScriptOutcome[]>

export function* play(side: Side, move: Move, how: Circumstances): Playing<Played> {
  const { effort } = how
  if (effort.atLastPause - effort.left > unitsAtOnce) {
    effort.atLastPause = effort.left
    yield []
  }
  const deps = depsOf(side, how)
  let spent = 0
  try {
    let turn = begin(deps, side, move)
    for (; turn.call; spent = turn.continuation.spent) {
      const { call } = turn
      if (call.kind === "history") turn = resume(deps, turn, { lines: side.past })
      else if (call.kind === "script" && !call.scripts.some(callsOut)) {
        turn = resume(deps, turn, { results: yield* run(call.scripts, how.known) })
      } else {
        const answered = how.answer(call, turn)
        if (!answered) break
        turn =
          "outcome" in answered
            ? resume(deps, turn, answered.outcome)
            : resumeRecorded(deps, turn, assignmentsIn(side, turn, answered.set))
      }
    }
    spent = turn.continuation.spent
    return turn
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.reason === "FLOW_TOO_EXPENSIVE") spent = deps.limits.fuel
    return error
  } finally {
    effort.left -= spent + turnUnits
  }
}

/** The base cost of a turn. */
const turnUnits = 200

function depsOf({ bots, session, workspace }: Side, { chance, effort }: Circumstances): EngineDeps {
  let links = 0
  return {
    world: {
      now: () => chance.at,
      random: () => (chance.draws++ < maxDraws && drawn(chance) ? almostOne : 0),
      // All ids of a turn are one, so that a block more or less does not move those of others.
      newId: () => chance.at.toString(36).padStart(24, "0"),
      newResultId: () => `linked ${session.step} ${links++}`,
    },
    bots,
    workspace,
    limits: { fuel: Math.max(0, Math.min(liveLimits.fuel, effort.left)) },
  }
}

const almostOne = 1 - Number.EPSILON

function drawn({ pattern, draws }: Chance): boolean {
  return ((pattern >> (draws - 1)) & 1) === 1
}

function* run(scripts: Script[], known: Known): Playing<ScriptOutcome[]> {
  const key = JSON.stringify(scripts)
  const outcomes = known.get(key) ?? (yield scripts)
  known.set(key, outcomes)
  return outcomes
}

function begin(deps: EngineDeps, side: Side, move: Move): Turn {
  const { session } = side
  if ("seconds" in move) return fallSilent(deps, session, move.seconds)
  if ("set" in move) {
    const set = steer(deps, session, { variables: valuesIn(side, move.set) })
    return move.goesOn ? reply(deps, set.session, undefined) : set
  }
  const { message } = move
  if (session.step > 0) return reply(deps, session, message)
  return start(deps, session, { opening: message, openingRule: "always" })
}

/** The values by the names that their variables have here. */
function valuesIn({ bots, session }: Side, values: readonly KnownValue[]) {
  const named = session.queue.flatMap((running) =>
    values.flatMap((known) => {
      const variable = variableIn(bots, running, known)
      return variable ? [[variable.name, known.value] as const] : []
    }),
  )
  return Object.fromEntries(named)
}

function assignmentsIn({ bots }: Side, turn: Turn, values: readonly KnownValue[]): Assignment[] {
  const [running] = turn.session.queue
  return values.flatMap((known) => {
    const variable = running && variableIn(bots, running, known)
    return variable ? [{ variableId: variable.id, value: known.value }] : []
  })
}

/** The variable with that id, else with that name: both may have changed, but hardly both at once. */
function variableIn(
  bots: Side["bots"],
  { version, adopted = [] }: RunningBot,
  { id, name }: Pick<KnownValue, "id" | "name">,
): Variable | undefined {
  const bot = bots.get(version)
  const all = bot && variablesOf(bot)
  return all?.byId.get(id) ?? all?.byName.get(name) ?? adopted.find((each) => each.name === name)
}

export const variablesOf = memoize(({ flow: { variables } }: Bot) => ({
  byId: new Map(variables.map((variable) => [variable.id, variable])),
  byName: new Map(variables.toReversed().map((variable) => [variable.name, variable])),
}))

/** The blocks that a turn passed, in the form of records. */
export function passedBy(turn: Turn, resultId: string): Passed[] {
  const own = turn.results.find((record) => record.resultId === resultId)
  const others = turn.results.filter((record) => record !== own)
  const linked = new Map(
    others.map(({ resultId: id, shown, answers }) => [id, { shown: shown?.parts, answers }]),
  )
  return passedIn({ shown: own?.shown?.parts, answers: own?.answers ?? [], linked })
}

/** Goes on to the next turn. */
export function advance(side: Side, turn: Turn, resultId: string): void {
  side.session = turn.session
  const makesTranscripts = [...side.bots.values()].some((bot) => bot.makesTranscripts)
  if (makesTranscripts) side.past.push(...spoken(passedBy(turn, resultId)))
}

/** The values in the started bot's result, by name. */
export function valuesKept({ session, bots }: Side): Map<string, KeptVariable["value"]> {
  const root = session.queue.at(-1)
  const bot = bots.get(root?.version ?? "")
  const kept = new Map<string, KeptVariable["value"]>()
  if (!root || !bot) return kept
  for (const [id, value] of root.values) {
    const variable = variablesOf(bot).byId.get(id) ?? root.adopted?.find((each) => each.id === id)
    const isHidden = !variable || variable.isSessionVariable || root.hidden?.includes(id)
    if (!isHidden && value !== null) kept.set(variable.name, value)
  }
  return kept
}

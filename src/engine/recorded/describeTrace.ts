/** Describes a turn: blocks with their types and times, edges, variables, calls. */

import { cut } from "../../lib/cut.ts"
import { memoize } from "../../lib/memoize.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import { type Block, typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, type Position } from "../bot.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"
import { isCut } from "../shown.ts"
import { alongEdge } from "../turn/places.ts"
import type { RecordedTurn } from "./recordedTurn.ts"
import { callStatus, type StoredCall } from "./trace.ts"

type Bots = { get(version: string): Bot | undefined }

/**
 * One turn as `TracedTurn` of the API, with times in milliseconds since 1970. Only variables stored in the
 * result have values: `kept` has their ids.
 */
export function describeTrace(turn: RecordedTurn, bots: Bots, kept: ReadonlySet<string>) {
  const { trace } = turn
  const calls = trace?.calls ?? []
  return {
    blocks: blocksOf(turn, bots, calls),
    variables: variablesOf(turn, bots, kept),
    calls: calls.map(describeCallOf),
    isCut: trace?.isCut === true || isCut(turn),
  }
}

function blocksOf(
  { at, version: root, passed }: RecordedTurn,
  bots: Bots,
  calls: readonly StoredCall[],
) {
  const visits = passed.filter(({ isVisit }) => isVisit)
  const left = [...calls]
  let time = calls.reduce((rest, [, , , ms]) => rest - ms, at)
  // Blocks of other calls may be gone with the results of linked bots, so search up to the last one.
  const takeCalls = (blockId: string) => {
    const last = left.findIndex(
      ([ofBlock], place) => ofBlock === blockId && left[place + 1]?.[0] !== blockId,
    )
    for (const [, , , ms] of left.splice(0, last + 1)) time += ms
  }
  // Calls that judged the reply came before any block.
  takeCalls("")
  return visits.map(({ blockId, version = root }, place) => {
    const bot = bots.get(version)
    const here = bot?.positions.get(blockId)
    const block = blockAt(here)
    const next = visits[place + 1]
    const edgeId = bot && here && next && edgeTo(bot, here, next.blockId)
    const described = {
      blockId,
      ...(block && here && { type: block.type, groupTitle: cut(here.group.title) }),
      at: time,
      ...(edgeId !== undefined && { edgeId }),
    }
    takeCalls(blockId)
    return described
  })
}

/** The edge from one block to another; edges of items precede the block's own. */
function edgeTo(bot: Bot, here: Position, blockId: string): string | undefined {
  const block = blockAt(here)
  const target = bot.positions.get(blockId)
  if (!block || !target) return undefined
  const known = exitsByBlock(bot)
  const exits = known.get(block) ?? exitsOf(bot, block)
  known.set(block, exits)
  return exits.get(blockAt(target))
}

/** Memoized: a turn may pass a block with thousands of exits thousands of times. */
const exitsByBlock = memoize((_: Bot) => new Map<Block, Exits>())

/** The edges of a block by target block; the first wins. */
type Exits = ReadonlyMap<Block | undefined, string>

function exitsOf(bot: Bot, block: Block): Exits {
  const exits = new Map<Block | undefined, string>()
  for (const id of [...(typeOf(block).edges?.(block) ?? []), block.outgoingEdgeId]) {
    const target = blockAt(alongEdge(bot, id))
    if (id !== undefined && target && !exits.has(target)) exits.set(target, id)
  }
  return exits
}

function describeCallOf(call: StoredCall) {
  const [blockId] = call
  return {
    ...(typeof blockId === "string" && blockId !== "" && { blockId }),
    ...describeCall(call),
  }
}

/** A call without the block that made it. */
export function describeCall([, kind, status, ms, detail]: StoredCall) {
  const tool = typeof detail === "string" ? detail : undefined
  const [provider, model, inputTokens, outputTokens] = Array.isArray(detail) ? detail : []
  return {
    kind,
    status: status === callStatus.failed ? ("failed" as const) : ("done" as const),
    ...(status > 0 && { httpStatus: status }),
    ms,
    ...nonEmpty({ tool, provider, model, inputTokens, outputTokens }),
  }
}

function variablesOf(turn: RecordedTurn, bots: Bots, kept: ReadonlySet<string>) {
  const versions = new Set([turn.version, ...turn.passed.flatMap(({ version }) => version ?? [])])
  const own = [...versions].flatMap((version) => bots.get(version) ?? [])
  const describe = (blockId: string, variableId: string, value?: VariableValue) => {
    const definition = own.flatMap((bot) => variablesById(bot).get(variableId) ?? []).at(0)
    const isSessionVariable = definition?.isSessionVariable === true
    return {
      blockId,
      variableId,
      ...(definition && { name: cut(definition.name) }),
      // A variable may also have become a session variable while the chat ran.
      ...(value !== undefined && !isSessionVariable && kept.has(variableId) && { value }),
      isSessionVariable,
    }
  }
  const noted = turn.changes.map(({ blockId, variableId, value, isHidden }) =>
    describe(blockId, variableId, isHidden ? undefined : value),
  )
  const set = turn.trace?.set ?? []
  const unnoted = set.flatMap((blockId, place) =>
    place % 2 === 0 ? [describe(blockId, set[place + 1] ?? "")] : [],
  )
  return [...noted, ...unnoted]
}

/** Memoized: a conversation may have thousands of turns, and a bot thousands of variables. */
const variablesById = memoize(
  ({ flow }: Bot): ReadonlyMap<string, Variable> =>
    new Map(flow.variables.map((variable) => [variable.id, variable])),
)

/** Tells the way of a turn in full: blocks with their types and times, edges, variables, calls. */

import { answerVariable, type Block, typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, type Position } from "../bot.ts"
import { cut } from "../cut.ts"
import { memoize } from "../memoize.ts"
import { alongEdge } from "../turn/places.ts"
import { type PassedTurn, variablesById } from "./recordedTurn.ts"
import { callStatus } from "./trace.ts"

/** A visited block. */
type ToldBlock = {
  blockId: string
  /** Absent, as the title: the block is gone. */
  type?: string
  groupTitle?: string
  /** Milliseconds since 1970, as the calls before it tell. */
  at: number
  /** The edge along which the chat left it; absent: it stayed in the group, or ended. */
  edgeId?: string
}

/** A variable that a block set. */
type ToldVariable = {
  blockId: string
  variableId: string
  name?: string
  /** Absent: it was not noted, or the result does not keep it, as those of session variables. */
  value?: string | (string | null)[] | null
  isSessionVariable: boolean
}

/** A call to the outside world. */
type ToldCall = {
  /** Absent: it was made to judge the reply. */
  blockId?: string
  kind: string
  status: "done" | "failed"
  /** Absent: the call is none over HTTP. */
  httpStatus?: number
  ms: number
}

/** What happened in a turn. */
type ToldTrace = { blocks: ToldBlock[]; variables: ToldVariable[]; calls: ToldCall[] }

type Bots = { get(version: string): Bot | undefined }

/** Tells one turn. Values are told of those variables alone that the result keeps: `kept`, by id. */
export function tellTrace(turn: PassedTurn, bots: Bots, kept: ReadonlySet<string>): ToldTrace {
  const calls = turn.trace?.calls ?? []
  const botOf = (place: number) => bots.get(turn.blocks[place]?.version ?? turn.version)
  const took = calls.reduce((sum, [, , , ms]) => sum + ms, 0)
  const blocks = turn.blocks.map(({ blockId }, place): ToldBlock => {
    const here = botOf(place)?.positions.get(blockId)
    const block = here && blockAt(here)
    const before = calls.reduce((sum, [visit, , , ms]) => sum + (visit < place ? ms : 0), 0)
    const bot = botOf(place)
    const next = turn.blocks[place + 1]
    const edgeId = bot && here && next && edgeTo(bot, here, next.blockId)
    return {
      blockId,
      ...(block && here && { type: block.type, groupTitle: cut(here.group.title) }),
      at: turn.at - took + before,
      ...(edgeId !== undefined && { edgeId }),
    }
  })
  return {
    blocks,
    variables: variablesOf(turn, bots, kept),
    calls: calls.map((call) => told(call, turn)),
  }
}

/** The edge that leads from one block to another; items come before the block's own. */
function edgeTo(bot: Bot, here: Position, blockId: string): string | undefined {
  const block = blockAt(here)
  const target = bot.positions.get(blockId)
  if (!block || !target) return undefined
  const known = exitsByBlock(bot)
  const exits = known.get(block) ?? exitsOf(bot, block)
  known.set(block, exits)
  return exits.get(blockAt(target))
}

/** A turn may pass a block with thousands of exits thousands of times. */
const exitsByBlock = memoize((_: Bot) => new Map<Block, Exits>())

/** The edges of a block by the block that each leads to, the first of several. */
type Exits = ReadonlyMap<Block | undefined, string>

function exitsOf(bot: Bot, block: Block): Exits {
  const exits = new Map<Block | undefined, string>()
  for (const id of [...(typeOf(block).edges?.(block) ?? []), block.outgoingEdgeId]) {
    const place = alongEdge(bot, id)
    const target = place && blockAt(place)
    if (id !== undefined && target && !exits.has(target)) exits.set(target, id)
  }
  return exits
}

function told(
  [visit, kind, status, ms]: [number, string, number, number],
  turn: PassedTurn,
): ToldCall {
  const blockId = turn.blocks[visit]?.blockId
  return {
    ...(blockId !== undefined && { blockId }),
    kind,
    status: status === callStatus.failed ? "failed" : "done",
    ...(status > 0 && { httpStatus: status }),
    ms,
  }
}

function variablesOf(turn: PassedTurn, bots: Bots, kept: ReadonlySet<string>): ToldVariable[] {
  const versions = new Set([turn.version, ...turn.blocks.flatMap(({ version }) => version ?? [])])
  const own = [...versions].flatMap((version) => bots.get(version) ?? [])
  const tell = (blockId: string, variableId: string, value?: ToldVariable["value"]) => {
    const holder = own.find((bot) => variablesById(bot).has(variableId))
    const definition = holder && variablesById(holder).get(variableId)
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
  const set = turn.trace?.set ?? []
  const changed = new Set(turn.changes.map(({ variableId }) => variableId))
  const named = turn.blocks.flatMap(({ blockId, version = turn.version }) => {
    const here = bots.get(version)?.positions.get(blockId)
    const block = here && blockAt(here)
    const id = block && typeOf(block).kind === "action" ? answerVariable(block) : undefined
    return id === undefined || changed.has(id) ? [] : [tell(blockId, id)]
  })
  const unnoted = set.flatMap((blockId, place) =>
    place % 2 === 0 ? [tell(blockId, set[place + 1] ?? "")] : [],
  )
  const noted = turn.changes.map(({ blockId, variableId, value, isHidden }) =>
    tell(blockId, variableId, isHidden ? undefined : value),
  )
  return [...noted, ...named, ...unnoted]
}

/** The inputs of a flow by name, in the order in which a chat reaches them. */

import { cut } from "../../lib/cut.ts"
import { visitDepthFirst } from "../../lib/graph.ts"
import { memoize } from "../../lib/memoize.ts"
import { answerVariable, type Block, typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, type Group } from "../bot.ts"
import { unmetered } from "../budget/fuel.ts"
import { answerKey } from "../session.ts"
import { alongEdge } from "../turn/places.ts"
import { createVariables } from "../variables/variables.ts"

/** The title of an input's group and the variable that takes its answers, both cut. */
export type InputName = {
  groupTitle: string
  /** Absent: none. */
  variableName?: string
}

/** The same with the name of its answers, cut. */
export type AnswerName = InputName & { name: string }

/** The name of an input; undefined: the bot has no such block. */
export function inputName(bot: Bot, blockId: string): AnswerName | undefined {
  const position = bot.positions.get(blockId)
  const block = position && blockAt(position)
  if (!block) return undefined
  const name = cut(answerKey(position, definitionsOf(bot)))
  return { name, ...nameOf(bot, position.group, block) }
}

const definitionsOf = memoize((bot: Bot) => createVariables(bot.flow.variables, [], unmetered()))

type NamedInput = InputName & {
  blockId: string
  /** Id of the variable that takes its answers, if it has one. */
  variableId: string | undefined
}

/** All inputs in the order in which a chat reaches them; unreachable ones last. */
export function inputsInOrder(bot: Bot): NamedInput[] {
  return groupsInOrder(bot).flatMap((group) =>
    group.blocks
      .filter((block) => typeOf(block).kind === "input")
      .map((block) => ({
        blockId: block.id,
        variableId: answerVariable(block),
        ...nameOf(bot, group, block),
      })),
  )
}

function nameOf(bot: Bot, { title }: Group, block: Block): InputName {
  const variableId = answerVariable(block)
  const variable =
    variableId === undefined ? undefined : bot.flow.variables.find(({ id }) => id === variableId)
  return { groupTitle: cut(title), ...(variable && { variableName: cut(variable.name) }) }
}

/** Visits groups depth first, beginning at the start and the events. */
function groupsInOrder(bot: Bot): Group[] {
  const order = new Set<Group>()
  const walkFrom = (first: Group | undefined) =>
    visitDepthFirst(first, (group) => waysFrom(bot, group), order)
  walkFrom(alongEdge(bot, bot.startEdgeId)?.group)
  for (const event of bot.flow.events ?? []) walkFrom(alongEdge(bot, event.outgoingEdgeId)?.group)
  for (const group of bot.flow.groups) walkFrom(group)
  return [...order]
}

function waysFrom(bot: Bot, group: Group): (Group | undefined)[] {
  return group.blocks.flatMap((block) => {
    const type = typeOf(block)
    const lead = type.staticTarget?.(block)
    const isHere = lead?.botId === undefined || lead.botId === "current"
    const edges = [...(type.edges?.(block) ?? []), block.outgoingEdgeId]
    return [
      ...(isHere ? [bot.groups.get(lead?.groupId ?? "")] : []),
      ...edges.map((edge) => alongEdge(bot, edge)?.group),
    ]
  })
}

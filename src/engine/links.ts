/** Enters a linked bot and returns from it to its parent. */
import type { LinkTarget } from "./blocks/block.ts"
import type { Bot, Group, Position } from "./bot.ts"
import { eventOf } from "./bot.ts"
import { recordRow } from "./recording.ts"
import { botOf, type Run, storeOf } from "./run.ts"
import type { VariableValue } from "./schema/variable.ts"
import { currentOf, type Running, type Target } from "./session.ts"

/** Puts a linked bot in front; the reason as a text when the link leads nowhere. */
export function enterBot(run: Run, here: Position, link: LinkTarget): Position | string {
  const parent = currentOf(run.session)
  const own = botOf(run)
  const linked = link.version === undefined ? own : run.stage.bots.get(link.version)
  if (!linked) return "The linked bot does not exist or is not published"
  const isSelf = linked.id === own.id
  const child = isSelf ? own : linked
  const group = entryOf(child, link)
  if (!group) return "The linked bot has no such group, or no start"
  const queued = resumption(here)
  const running = isSelf
    ? { ...copyOf(run, parent), queued, isMerging: true }
    : openChild(run, child, { isMerging: link.mergesResults, queued })
  run.session.queue.unshift(running)
  run.scene = undefined
  return { group, index: 0 }
}

/** Drops the current bot and goes on in its parent. */
export function leaveBot(run: Run): void {
  const [child, parent] = run.session.queue
  if (!child || !parent) return
  if (child.isMerging) merge(run, child, parent)
  else recordRow(run, child, { hasStarted: child.answers.length > 0, isCompleted: true })
  run.session.queue.shift()
  run.stores.delete(child)
  run.scene = undefined
}

function merge(run: Run, child: Running, parent: Running): void {
  const store = storeOf(run, parent)
  for (const variable of storeOf(run, child).list()) {
    const { name, value } = variable
    if (value === undefined || value === null) continue
    const own = store.named(name)
    if (own) store.set([{ variableId: own.id, value }])
    else {
      store.adopt(variable)
      parent.adopted = [...(parent.adopted ?? []), { ...variable, value: undefined }]
    }
  }
  const redefined = new Set(child.answers.map(([key]) => key))
  parent.answers = [...parent.answers.filter(([key]) => !redefined.has(key)), ...child.answers]
  parent.counts = { ...child.counts }
  parent.hidden = [...new Set([...(parent.hidden ?? []), ...(child.hidden ?? [])])]
}

function copyOf(run: Run, running: Running): Running {
  return {
    ...running,
    counts: { ...running.counts },
    values: storeOf(run, running).entries(),
    answers: [...running.answers],
    queued: [],
  }
}

function openChild(run: Run, bot: Bot, how: { isMerging: boolean; queued: Target[] }): Running {
  const parent = currentOf(run.session)
  const values = inherited(run, bot)
  if (how.isMerging) {
    const { resultId, counts, answers } = parent
    return {
      version: bot.version,
      resultId,
      counts: { ...counts },
      values,
      answers: [...answers],
      ...how,
    }
  }
  if (parent.answers.length === 0) {
    recordRow(run, parent, { hasStarted: false, isCompleted: false })
  }
  return {
    version: bot.version,
    resultId: run.session.isPreview ? undefined : run.stage.world.newResultId(),
    counts: { answers: 0, steps: 0 },
    values,
    answers: [],
    ...how,
  }
}

/** A child's variable takes the value of its nearest namesake; its own default does not count. */
function inherited(run: Run, bot: Bot): [string, VariableValue][] {
  const values: [string, VariableValue][] = []
  for (const { id, name } of bot.flow.variables) {
    for (const running of run.session.queue) {
      const namesake = storeOf(run, running).named(name)
      if (!namesake) continue
      if (namesake.value !== undefined && namesake.value !== null) values.push([id, namesake.value])
      break
    }
  }
  return values
}

function entryOf(bot: Bot, link: LinkTarget): Group | undefined {
  if (link.groupId !== undefined) return bot.groups.get(link.groupId)
  if (link.groupTitle !== undefined) {
    return bot.flow.groups.find((group) => group.title === link.groupTitle)
  }
  const start = eventOf(bot.flow, "start")
  if (!start) return bot.startEdgeId === undefined ? undefined : bot.flow.groups[0]
  const edge = bot.edges.get(start.outgoingEdgeId ?? "")
  return edge && bot.groups.get(edge.to.groupId)
}

/** Where the parent goes on: along the link's own edge, else at the next block of its group. */
function resumption(here: Position): Target[] {
  const edge = here.group.blocks[here.index]?.outgoingEdgeId
  if (edge !== undefined) return [{ edge }]
  const next = here.group.blocks[here.index + 1]
  return next ? [{ groupId: here.group.id, blockId: next.id }] : []
}

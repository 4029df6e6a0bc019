/** Enters a linked bot and returns from it to its parent. */
import type { LinkTarget } from "../blocks/block.ts"
import { typeOf } from "../blocks/registry.ts"
import { type Bot, blockAt, eventOf, type Group, type Position } from "../bot.ts"
import { maxWaitingBots, spend } from "../budget/fuel.ts"
import type { Variable } from "../schema/variable.ts"
import { currentOf, type RunningBot, type Target } from "../session.ts"
import { freeId, type StoredValue } from "../variables/variables.ts"
import { alongEdge, virtualName } from "./places.ts"
import { recordMark, recordRow } from "./recording.ts"
import { botOf, loadedBot, type Run, storeOf } from "./run.ts"

/** Enters a linked bot. Returns the reason as text when the link leads nowhere. */
export function enterBot(run: Run, here: Position, link: LinkTarget): Position | string {
  const parent = currentOf(run.session)
  if (run.session.queue.length > maxWaitingBots) return "Too many bots wait for one another"
  const own = botOf(run)
  const linked = link.version === undefined ? own : run.deps.bots.get(link.version)
  if (!linked) return "The linked bot does not exist or is not published"
  const isSelf = linked.id === own.id
  const child = isSelf ? own : linked
  const group = entryOf(child, link)
  if (!group) return "The linked bot has no such group, or no start"
  const resumesAt = resumption(here)
  recordMark(run, `off-${blockAt(here)?.id}`)
  const running = isSelf
    ? { ...copyOf(run, parent), resumesAt, isMerging: true }
    : { ...createChild(run, child, link.mergesResults), resumesAt, isMerging: link.mergesResults }
  run.session.queue.unshift(running)
  changeBot(run)
  recordEntry(run, group)
  return { group, index: 0 }
}

/** Records an entry, unless it is at the start of a bot with a result of its own. */
function recordEntry(run: Run, group: Group): void {
  const bot = botOf(run)
  const start = alongEdge(bot, bot.startEdgeId)
  const ownsResult = !currentOf(run.session).isMerging
  if (ownsResult && start?.group === group && start.index === 0) return
  if (ownsResult && start) recordMark(run, "off-start")
  recordMark(run, virtualName(group.id))
}

/**
 * Leaves the current bot for its parent. Returns where the parent continues; undefined: nowhere.
 * `isCompleted`: whether the bot had reached its end.
 */
export function leaveBot(run: Run, isCompleted = true): Target | undefined {
  const [child, parent] = run.session.queue
  if (!child || !parent) return undefined
  if (child.isMerging) merge(run, child, parent)
  else recordRow(run, child, { isCompleted })
  run.session.queue.shift()
  run.stores.delete(child)
  changeBot(run)
  return child.resumesAt
}

/** Clears the waiting block, which belongs to the former bot. */
function changeBot(run: Run): void {
  run.session.at = undefined
  run.context = undefined
}

function merge(run: Run, child: RunningBot, parent: RunningBot): void {
  const store = storeOf(run, parent)
  const adopted: Variable[] = []
  const hidden = new Set(parent.hidden)
  const { id: botId } = loadedBot(run, child)
  for (const variable of storeOf(run, child).list()) {
    const { name, value } = variable
    if (value === undefined || value === null) continue
    const own = store.named(name)
    const isPlain = storeOf(run, child).isPlain(variable.id)
    const id = own?.id ?? freeId(store, variable.id, botId)
    if (own) store.set([{ variableId: id, value, isPlain }])
    else {
      store.adopt({ ...variable, id }, isPlain)
      adopted.push({ ...variable, id, value: undefined })
    }
    if (child.hidden?.includes(variable.id)) hidden.add(id)
  }
  if (adopted.length > 0) parent.adopted = [...(parent.adopted ?? []), ...adopted]
  const redefined = new Set(child.answers.map(([key]) => key))
  parent.answers = [...parent.answers.filter(([key]) => !redefined.has(key)), ...child.answers]
  parent.counts = { ...child.counts }
  parent.hidden = [...hidden]
}

function copyOf(run: Run, running: RunningBot): RunningBot {
  return {
    ...running,
    counts: { ...running.counts },
    values: storeOf(run, running).entries(),
    answers: [...running.answers],
    queued: [],
  }
}

function createChild(run: Run, bot: Bot, isMerging: boolean): RunningBot {
  const parent = currentOf(run.session)
  const child = { version: bot.version, ...inherited(run, bot), queued: [] }
  if (isMerging) {
    const { resultId, counts, answers } = parent
    const shared = { counts: { ...counts }, answers: [...answers] }
    return { ...child, resultId, ...shared, marking: "versioned" }
  }
  // Until the child ends, only this row shows that the parent has an answer.
  recordRow(run, parent, { isCompleted: false })
  const resultId = run.session.isPreview ? undefined : run.deps.world.newResultId()
  return { ...child, resultId, counts: { answers: 0, steps: 0 }, answers: [] }
}

/**
 * A child's variable takes the value of the nearest variable of the same name, never its own default.
 * Variables hidden in the parents' results stay hidden in the child's.
 */
function inherited(run: Run, bot: Bot): Pick<RunningBot, "values" | "hidden"> {
  const values: StoredValue[] = []
  const hidden: string[] = []
  spend(run.fuel, bot.flow.variables.length * run.session.queue.length)
  for (const { id, name } of bot.flow.variables) {
    for (const running of run.session.queue) {
      const store = storeOf(run, running)
      const namesake = store.named(name)
      if (!namesake) continue
      const { value = null, isSessionVariable } = namesake
      if (value === null) break
      values.push(store.isPlain(namesake.id) ? [id, value, 1] : [id, value])
      if (isSessionVariable || running.hidden?.includes(namesake.id)) hidden.push(id)
      break
    }
  }
  return hidden.length > 0 ? { values, hidden } : { values }
}

function entryOf(bot: Bot, { groupId, groupTitle }: LinkTarget): Group | undefined {
  if (groupTitle !== undefined) return bot.groupsByTitle.get(groupTitle)
  const start = eventOf(bot.flow, "start")
  const named = groupId === undefined ? undefined : bot.groups.get(groupId)
  // Upgrading gives the event the id of the group that held only the start block.
  if (named || (groupId !== undefined && groupId !== start?.id)) return named
  if (!start) return bot.flow.groups.find(holdsStart)
  const edge = bot.edges.get(start.outgoingEdgeId ?? "")
  return edge && bot.groups.get(edge.to.groupId)
}

/** Whether a flow of a version below 6 begins in this group. */
function holdsStart({ blocks }: Group): boolean {
  return blocks.some((block) => typeOf(block).isStart === true)
}

/** The parent continues along the link's own edge, else at the next block of its group. */
function resumption(here: Position): Target | undefined {
  const edge = blockAt(here)?.outgoingEdgeId
  if (edge !== undefined) return { edge }
  const next = here.group.blocks[here.index + 1]
  return next && { groupId: here.group.id, blockId: next.id }
}

/** How far a chat has come: answers given against inputs that can still be reached. */
import { typeOf } from "./blocks/registry.ts"
import type { Bot, Position } from "./bot.ts"
import { locate } from "./navigate.ts"
import { loadedBot, type Run } from "./run.ts"

/** Inputs ahead of a place, itself included, and whether some path from it ends. */
type Ahead = { inputs: ReadonlySet<string>; ends: boolean }

/** 0 to 100; undefined when no progress is shown or only the client is waited for. */
export function progressOf(run: Run): number | undefined {
  const answered = run.session.progress
  if (answered === undefined) return undefined
  if (!run.input) return run.isWaiting ? undefined : 100
  const reachable = inputsAhead(run, run.input.id).size
  return ((answered + 1) / (reachable + answered + 1)) * 100
}

/** From the waiting input on, through the parents of a linked bot where its paths end. */
function inputsAhead(run: Run, blockId: string): Set<string> {
  const inputs = new Set<string>()
  let places: Position[] | undefined
  for (const [index, running] of run.session.queue.entries()) {
    const bot = loadedBot(run, running)
    const start = index === 0 ? bot.positions.get(blockId) : undefined
    places ??= start ? [start] : []
    let ends = places.length === 0
    for (const place of places) {
      const ahead = aheadOf(bot, place)
      for (const input of ahead.inputs) inputs.add(input)
      ends ||= ahead.ends
    }
    const parent = run.session.queue[index + 1]
    if (!ends || !parent) break
    const parentBot = loadedBot(run, parent)
    places = running.queued.flatMap((target) => {
      const found = locate(parentBot, target)
      return typeof found === "object" ? [found] : []
    })
  }
  return inputs
}

const known = new WeakMap<Bot, Map<string, Ahead>>()

function aheadOf(bot: Bot, start: Position): Ahead {
  let places = known.get(bot)
  if (!places) {
    places = new Map()
    known.set(bot, places)
  }
  const key = `${start.group.id}\n${start.index}`
  let ahead = places.get(key)
  if (!ahead) {
    ahead = explore(bot, start)
    places.set(key, ahead)
  }
  return ahead
}

function explore(bot: Bot, start: Position): Ahead {
  const inputs = new Set<string>()
  const seen = new Set<object>()
  const waiting = [start]
  let ends = false
  for (let here = waiting.pop(); here; here = waiting.pop()) {
    const block = here.group.blocks[here.index]
    if (!block || seen.has(block)) {
      ends ||= !block
      continue
    }
    seen.add(block)
    const type = typeOf(block)
    if (type.kind === "input") inputs.add(block.id)
    const following = here.index + 1
    const isLast = following >= here.group.blocks.length
    const ways = [...(type.edges?.(block) ?? []), block.outgoingEdgeId].flatMap((edge) => {
      const found = edge === undefined ? undefined : locate(bot, { edge })
      return typeof found === "object" ? [found] : []
    })
    waiting.push(...ways)
    if (!isLast) waiting.push({ group: here.group, index: following })
    ends ||= isLast && ways.length === 0
  }
  return { inputs, ends }
}

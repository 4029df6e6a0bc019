/** How far a chat has come: answers given against inputs that can still be reached. */
import { type Block, typeOf } from "./blocks/registry.ts"
import type { Bot, Position } from "./bot.ts"
import { locate } from "./navigate.ts"
import { loadedBot, type Run } from "./run.ts"
import type { Target } from "./session.ts"

/** Inputs ahead of a place, itself included, and whether some path from it ends. */
type Ahead = { inputs: ReadonlySet<Block>; ends: boolean }

/** 0 to 100; undefined when no progress is shown or only the client is waited for. */
export function progressOf(run: Run): number | undefined {
  const answered = run.session.progress
  if (answered === undefined) return undefined
  if (!run.input) return run.isWaiting ? undefined : 100
  const reachable = inputsAhead(run, run.input.id).size
  return ((answered + 1) / (reachable + answered + 1)) * 100
}

/** From the waiting input on, where its paths end through what is queued and the parents. */
function inputsAhead(run: Run, blockId: string): Set<Block> {
  const inputs = new Set<Block>()
  let next: Target | undefined
  for (const [index, running] of run.session.queue.entries()) {
    const bot = loadedBot(run, running)
    const from = index === 0 ? bot.positions.get(blockId) : next && placeAt(bot, next)
    for (const place of [from, ...running.queued.map((target) => placeAt(bot, target))]) {
      const ahead = place && aheadOf(bot, place)
      for (const input of ahead?.inputs ?? []) inputs.add(input)
      if (ahead?.ends === false) return inputs
    }
    next = running.resumesAt
  }
  return inputs
}

function placeAt(bot: Bot, target: Target): Position | undefined {
  const found = locate(bot, target)
  return typeof found === "object" ? found : undefined
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
  const inputs = new Set<Block>()
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
    if (type.kind === "input") inputs.add(block)
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

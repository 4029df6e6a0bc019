/** How far a chat has come: answers given against inputs that can still be reached. */

import type { Bot } from "../bot.ts"
import type { Target } from "../session.ts"
import { type Ahead, aheadOf, countInputs } from "./ahead.ts"
import { positionOf } from "./places.ts"
import { loadedBot, type Run } from "./run.ts"

/** 0 to 100; undefined when no progress is shown or the chat only waits for the client. */
export function progressOf(run: Run): number | undefined {
  const answered = run.session.progress
  if (answered === undefined) return undefined
  if (!run.input) return run.isWaiting ? undefined : 100
  let reachable = 0
  for (const sets of inputsAhead(run, run.input.id).values()) reachable += countInputs(sets)
  return ((answered + 1) / (reachable + answered + 1)) * 100
}

/** What lies ahead of the waiting input and, where its paths may end, of queued paths and parents. */
function inputsAhead(run: Run, blockId: string): Map<Bot, Ahead[]> {
  const found = new Map<Bot, Ahead[]>()
  let next: Target | undefined
  for (const [index, running] of run.session.queue.entries()) {
    const bot = loadedBot(run, running)
    const from = index === 0 ? bot.positions.get(blockId) : next && positionOf(bot, next)
    const sets = found.get(bot) ?? []
    found.set(bot, sets)
    for (const place of [from, ...running.queued.map((target) => positionOf(bot, target))]) {
      const ahead = place && aheadOf(bot, place)
      if (ahead) sets.push(ahead)
      if (ahead?.ends === false) return found
    }
    next = running.resumesAt
  }
  return found
}

/** Finds out which other bots a flow runs. */
import { typeOf } from "../blocks/registry.ts"
import type { Group } from "../bot.ts"

/** Ids of all bots that blocks link to, each once; the bot's own may be among them. */
export function linkedBots(groups: readonly Group[]): string[] {
  const ids = new Set<string>()
  for (const { blocks } of groups) {
    for (const block of blocks) {
      const botId = typeOf(block).staticTarget?.(block)?.botId
      if (botId !== undefined && botId !== "current") ids.add(botId)
    }
  }
  return [...ids]
}

/** Finds out which other bots a flow runs. */
import { typeOf } from "../blocks/registry.ts"
import type { Group } from "../bot.ts"

/** Ids of all bots that blocks link to, each once; the bot's own may be among them. */
export function linkedBots(groups: readonly Group[]): string[] {
  const ids = groups.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      const botId = typeOf(block).leads?.(block)?.botId
      return botId === undefined || botId === "current" ? [] : [botId]
    }),
  )
  return [...new Set(ids)]
}

/** Publishes a bot and tells what came of it. */
import type { ParleyClient } from "../client.ts"
import { tell } from "./command.ts"

/** Publishes a bot; address and warnings go to standard error. */
export async function publishBot(client: ParleyClient, botId: string): Promise<void> {
  const { publicId, versionNumber, warnings } = await client.bot.publish.mutate({ botId })
  for (const { place, message, count, rule } of warnings ?? []) {
    const others = count > 1 ? ` (and ${count - 1} more of ${rule})` : ` (${rule})`
    tell(`Warning: ${place}: ${message}${others}`)
  }
  tell(
    `Published version ${versionNumber} as ${publicId}: \`parley chat ${publicId}\` talks to it.`,
  )
}

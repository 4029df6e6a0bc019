/** Loads the bots of versions. */
import { areTooLarge, type Snapshots } from "../effects/snapshots.ts"
import type { Bot } from "../engine/bot.ts"
import { isUuid } from "../lib/ids.ts"

/** Those that are still there, by version; undefined: they are too large together. */
export async function loadBots(
  snapshots: Pick<Snapshots, "load">,
  versionIds: Iterable<string>,
): Promise<Map<string, Bot> | undefined> {
  const bots = new Map<string, Bot>()
  for (const id of versionIds) {
    const snapshot = isUuid(id) ? await snapshots.load(id) : undefined
    if (snapshot) bots.set(id, snapshot.bot)
    if (areTooLarge(bots)) return undefined
  }
  return bots
}

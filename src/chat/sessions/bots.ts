/** Loads the bots that a session needs before the engine runs. */
import type { Bot } from "../../engine/bot.ts"
import type { EngineDeps } from "../../engine/run.ts"
import type { Session } from "../../engine/session.ts"
import { notFound } from "../../shared/errors.ts"
import type { Chat } from "../chat.ts"

/** Loads one version; undefined when it is gone. */
export type LoadBot = (version: string) => Bot | undefined | Promise<Bot | undefined>

/** How a live chat loads versions. */
export function loadLive(chat: Chat): LoadBot {
  return (version) => {
    const found = chat.snapshots.load(version)
    return found instanceof Promise ? found.then((snapshot) => snapshot?.bot) : found?.bot
  }
}

/** How a preview loads the flows it was given, and the drafts it links to; 404 when one is gone. */
export function loadPreview(chat: Chat): LoadBot {
  return async (version) => {
    const bot = await chat.snapshots.loadPreview(version)
    // Later previews of the same owner may have pushed it out.
    if (!bot) throw notFound("Session")
    return bot
  }
}

/** Every version on a session's queue. */
export async function loadQueue(load: LoadBot, session: Session): Promise<LoadedBots> {
  const bots: LoadedBots = new Map()
  for (const { version } of session.queue) {
    const loading = loadInto(bots, load, version)
    if (loading) await loading
  }
  return bots
}

export type LoadedBots = Map<string, Bot> & EngineDeps["bots"]

/** Adds a version to those that are loaded; undefined: at once. */
export function loadInto(
  bots: LoadedBots,
  load: LoadBot,
  version: string,
): Promise<void> | undefined {
  if (bots.has(version)) return undefined
  const found = load(version)
  if (found instanceof Promise) return found.then((bot) => add(bots, version, bot))
  add(bots, version, found)
  return undefined
}

function add(bots: LoadedBots, version: string, bot: Bot | undefined): void {
  if (!bot) throw new Error(`Version ${version} is in use but gone`)
  bots.set(version, bot)
}

/** Loads the bots that a session needs before the engine runs. */
import type { Bot } from "../engine/bot.ts"
import type { Stage } from "../engine/run.ts"
import type { Session } from "../engine/session.ts"
import type { Chat } from "./chat.ts"

/** Loads one version; undefined when it is gone. */
export type LoadBot = (version: string) => Promise<Bot | undefined>

/** How a live chat loads versions. */
export function loadLive(chat: Chat): LoadBot {
  return async (version) => (await chat.snapshots.load(version))?.bot
}

/** How a preview loads the flows it was given, and the drafts it links to. */
export function loadPreview(chat: Chat): LoadBot {
  return (version) => chat.snapshots.loadPreview(version)
}

/** Every version on a session's queue. */
export async function loadQueue(load: LoadBot, session: Session): Promise<LoadedBots> {
  const bots: LoadedBots = new Map()
  for (const { version } of session.queue) await loadInto(bots, load, version)
  return bots
}

export type LoadedBots = Map<string, Bot> & Stage["bots"]

/** Adds a version to those that are loaded. */
export async function loadInto(bots: LoadedBots, load: LoadBot, version: string): Promise<void> {
  if (bots.has(version)) return
  const bot = await load(version)
  if (!bot) throw new Error(`Version ${version} is in use but gone`)
  bots.set(version, bot)
}

/** A bot whose flow says one text, with short ways to change, publish and read it. */
import type { Db } from "../../src/db/connection/openDatabase.ts"
import { type CallerOptions, newUser, type User } from "./callers.ts"
import { saidIn, saying } from "./saying.ts"

/** Makes a bot that says "first", in a workspace of a user of its own. */
export async function newVersionedBot(db: Db, options: CallerOptions = {}) {
  const user = await newUser(db, { defaultPlan: "PRO", ...options })
  const { call } = user
  const { workspace } = await call.workspace.create({ name: "W" })
  const made = await call.bot.create({ workspaceId: workspace.id, bot: saying("first") })
  const botId = made.bot.id
  return {
    user,
    call,
    botId,
    workspaceId: workspace.id,
    write: async (text: string) => (await call.bot.update({ botId, bot: saying(text) })).bot,
    publish: async (note?: string) => (await call.bot.publish({ botId, note })).version,
    rollback: (version: number, note?: string) => call.version.rollback({ botId, version, note }),
    restore: async (version: number) => (await call.version.restoreDraft({ botId, version })).bot,
    /** What the draft, or what is live, says. */
    draft: async () => saidIn((await call.bot.get({ botId })).bot),
    live: async () => {
      const { publishedBot } = await call.publishedBot.get({ botId })
      return publishedBot && saidIn(publishedBot)
    },
    versions: async () => (await call.version.list({ botId })).versions,
    version: async (number: number) => (await call.version.get({ botId, number })).version,
    history: async () => (await call.version.listPublications({ botId })).publications,
  }
}

/** The same bot as another user reads it. */
export const as = (user: User) => user.call.version

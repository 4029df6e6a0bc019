/** Gives the draft of a bot the look of a theme template. */
import { type BotFacts, type BotRow, findTheme, updateBot } from "../db/bots/bots.ts"
import { withLockedBot } from "../db/bots/withLockedBot.ts"
import type { Db } from "../db/connection/open.ts"
import type { Flow } from "../engine/bot.ts"

type Theme = Flow["theme"]

/** What to apply, by its id, and perhaps when the draft was read. */
type Application = {
  templateId: string
  theme: Theme
  /** The draft must not have changed since this moment; absent: changes of others stay. */
  updatedAt?: Date | undefined
}

/**
 * Replaces the theme of a draft. Returns undefined, with nothing written, when the bot is archived or the
 * draft has changed.
 */
export async function applyTheme(
  db: Db,
  { id: botId, version }: BotFacts,
  { templateId, theme, updatedAt }: Application,
): Promise<BotRow | undefined> {
  return await withLockedBot(db, { botId }, async (locked, bot) => {
    if (updatedAt !== undefined && bot.updatedAt > updatedAt) return undefined
    const present = (await findTheme(locked, botId)) as Theme
    const change = { theme: withAvatarsOf(present, theme), selectedThemeTemplateId: templateId }
    return await updateBot(locked, { botId, version }, change)
  })
}

/** Avatars show who talks rather than how it looks: they stay unless the template has some of its own. */
function withAvatarsOf({ chat = {} }: Theme, theme: Theme): Theme {
  const { hostAvatar, guestAvatar } = chat
  const kept = { ...(hostAvatar && { hostAvatar }), ...(guestAvatar && { guestAvatar }) }
  return Object.keys(kept).length === 0 ? theme : { ...theme, chat: { ...kept, ...theme.chat } }
}

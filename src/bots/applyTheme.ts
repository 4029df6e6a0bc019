/** Applies a theme template to the draft of a bot. */
import { type BotFacts, findTheme } from "../db/bots/bots.ts"
import type { StoredChange } from "../db/bots/edits.ts"
import type { Flow } from "../engine/bot.ts"
import type { Edit } from "../engine/edit/editSchema.ts"
import { patchesBetween } from "../engine/edit/mergePatch.ts"
import { staleDraft } from "../lib/errors.ts"
import { changeDraft, type Editing } from "./edits/editDraft.ts"

type Theme = Flow["theme"]

/** The template to apply, the author, and perhaps the time they read the draft. */
type Application = {
  templateId: string
  theme: Theme
  authorId: string
  /** The draft must not have changed since this moment; absent: changes of others stay. */
  updatedAt?: Date | undefined
}

/** Replaces the theme of a draft as an edit, which can be undone and merges with edits of the flow. */
export async function applyTheme(
  editing: Editing,
  facts: BotFacts,
  { templateId, theme, authorId, updatedAt }: Application,
): Promise<StoredChange & { theme: Theme }> {
  let themed: Theme = {}
  const changed = await changeDraft(editing, facts, {
    authorId,
    async plan(locked, bot) {
      if (updatedAt !== undefined && bot.updatedAt > updatedAt) throw staleDraft(bot)
      const present = (await findTheme(locked, bot.id)) as Theme
      themed = withAvatarsOf(present, theme)
      const merges = patchesBetween(present, themed).map(
        (patch): Edit => ({ type: "theme.merge", theme: patch }),
      )
      const named: Edit = { type: "bot.set", selectedThemeTemplateId: templateId }
      return { kind: "edit", target: null, edits: [...merges, named] }
    },
  })
  return { ...changed, theme: themed }
}

/** Keeps avatars, which identify the speakers, unless the template has its own. */
function withAvatarsOf({ chat = {} }: Theme, theme: Theme): Theme {
  const { hostAvatar, guestAvatar } = chat
  const kept = { ...(hostAvatar && { hostAvatar }), ...(guestAvatar && { guestAvatar }) }
  return Object.keys(kept).length === 0 ? theme : { ...theme, chat: { ...kept, ...theme.chat } }
}

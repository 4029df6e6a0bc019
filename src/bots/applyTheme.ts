/** Gives the draft of a bot the look of a theme template. */
import { type BotFacts, findTheme } from "../db/bots/bots.ts"
import type { StoredChange } from "../db/bots/edits.ts"
import type { Flow } from "../engine/bot.ts"
import type { Edit } from "../engine/edit/editSchema.ts"
import { patchesBetween } from "../engine/edit/mergePatch.ts"
import { staleDraft } from "../lib/errors.ts"
import { changeDraft, type Editing } from "./edits/editDraft.ts"

type Theme = Flow["theme"]

/** What to apply, by its id, who does, and perhaps when they read the draft. */
type Application = {
  templateId: string
  theme: Theme
  authorId: string
  /** The draft must not have changed since this moment; absent: changes of others stay. */
  updatedAt?: Date | undefined
}

/** What a draft looks like then. */
type Themed = StoredChange & { theme: Theme }

/** Replaces the theme of a draft: an edit, so that it can be undone, and edits of the flow go on. */
export async function applyTheme(
  editing: Editing,
  facts: BotFacts,
  { templateId, theme, authorId, updatedAt }: Application,
): Promise<Themed> {
  let themed: Theme = {}
  const changed = await changeDraft(editing, facts, {
    authorId,
    async plan(locked, bot) {
      if (updatedAt !== undefined && bot.updatedAt > updatedAt) throw staleDraft()
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

/** Avatars show who talks rather than how it looks: they stay unless the template has some of its own. */
function withAvatarsOf({ chat = {} }: Theme, theme: Theme): Theme {
  const { hostAvatar, guestAvatar } = chat
  const kept = { ...(hostAvatar && { hostAvatar }), ...(guestAvatar && { guestAvatar }) }
  return Object.keys(kept).length === 0 ? theme : { ...theme, chat: { ...kept, ...theme.chat } }
}

/** Turns a stored draft into what a version keeps. */
import type { DraftRow } from "../../db/bots/drafts.ts"
import type { Flow } from "../../engine/bot.ts"
import { trustFlow } from "../bot/present.ts"

/** The draft as the job `contentOfDraft` takes it. */
export function flowOfDraft(row: DraftRow): Flow {
  const { version, events, groups, edges, variables, theme, settings } = row
  return trustFlow({ version, events, groups, edges, variables, theme, settings })
}

/** Turns a stored draft into what a version keeps. */
import { setImmediate as yieldToOthers } from "node:timers/promises"
import { isDeepStrictEqual } from "node:util"
import type { DraftRow } from "../../db/bots/drafts.ts"
import type { VersionContent } from "../../db/bots/versions.ts"
import { flowSchema } from "../../engine/bot.ts"
import { validateFlow } from "../../engine/upgrade/validateFlow.ts"
import { trustFlow } from "../bot/present.ts"
import { contentOf } from "../bot/publishFlow.ts"

/**
 * The draft as publishing would store it, so that equal flows make one version; a draft that could not
 * be published, or would lose something, as it is.
 */
export async function contentOfDraft(row: DraftRow): Promise<VersionContent> {
  const { version, events, groups, edges, variables, theme, settings } = row
  const stored = trustFlow({ version, events, groups, edges, variables, theme, settings })
  const read = validateFlow(flowSchema, stored)
  // Each step takes some 50 ms for 4 MB; chats go on in between.
  await yieldToOthers()
  const isWhole = read.success && isDeepStrictEqual(read.data, stored)
  await yieldToOthers()
  return contentOf(isWhole ? read.data : stored)
}

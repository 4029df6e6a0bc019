/** Turns a stored draft into what a version keeps. */
import { isDeepStrictEqual } from "node:util"
import type { DraftRow } from "../../db/bots/drafts.ts"
import type { VersionContent } from "../../db/bots/versions.ts"
import { flowSchema } from "../../engine/bot.ts"
import { validateFlow } from "../../engine/upgrade/validateFlow.ts"
import { stepOfWork } from "../../stepOfWork.ts"
import { trustFlow } from "../bot/present.ts"
import { contentOf } from "../bot/publishFlow.ts"

/**
 * The draft as publishing would store it, so that equal flows make one version; a draft that could not
 * be published, or would lose something, as it is.
 */
export async function contentOfDraft(row: DraftRow): Promise<VersionContent> {
  const { version, events, groups, edges, variables, theme, settings } = row
  const stored = trustFlow({ version, events, groups, edges, variables, theme, settings })
  const read = await stepOfWork(() => validateFlow(flowSchema, stored))
  const isWhole = await stepOfWork(() => read.success && isDeepStrictEqual(read.data, stored))
  return contentOf(isWhole && read.success ? read.data : stored)
}

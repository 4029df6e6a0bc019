/** Reads the flow of a draft that is about to run. */
import type { BotRow } from "../../db/bots/bots.ts"
import { type Flow, flowSchema } from "../../engine/bot.ts"
import { flattenIssues } from "../../engine/lint/issues.ts"
import { normalizeFlow } from "../../engine/upgrade/normalize.ts"
import { validateFlow } from "../../engine/upgrade/validateFlow.ts"
import { badRequest } from "../../shared/errors.ts"

/** The flow as stored, in its own version; refuses one that no longer is what a flow must be. */
export function readDraft(row: BotRow): Flow {
  const { version, events, groups, edges, variables, theme, settings } = row
  const stored = { version, events, groups, edges, variables, theme, settings }
  const read = validateFlow(flowSchema, normalizeFlow(stored))
  if (read.success) return read.data
  const issues = flattenIssues(read.error.issues, stored)
  throw badRequest("The bot cannot be published as it is", issues)
}

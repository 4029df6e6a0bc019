/** Turns stored bots into responses. */

import { toLatest } from "../../authoring/upgrade/latest.ts"
import { normalizeFlow } from "../../authoring/upgrade/normalize.ts"
import { readFlow, validateFlow } from "../../authoring/upgrade/validateFlow.ts"
import type { BotRow } from "../../db/bots/bots.ts"
import { type Flow, flowSchema, hasEvents } from "../../engine/bot.ts"
import type { ResultsTablePreferences } from "../../engine/schema/resultsTablePreferences.ts"
import { AppError } from "../../errors.ts"
import { newId } from "../../ids.ts"
import { printTimes } from "../sharedSchemas.ts"
import { withoutCredentials } from "./sanitise.ts"
import type { Bot } from "./schema.ts"

/** A flow as any table stores it. */
type StoredFlow = { [member in keyof Flow]: unknown }

/**
 * Trusts a stored flow, which was validated when it was written: validating 4 MB again would cost more
 * than the rest of a request. Versions below 5 predate the schema, so that what they lack is filled in
 * and what it does not know is left out.
 */
export function trustFlow(stored: StoredFlow): Flow {
  const flow = normalizeFlow(stored) as Flow
  if (Number(stored.version) >= 5) return flow
  const read = validateFlow(flowSchema, flow)
  return read.success ? read.data : flow
}

/** A bot as its editors see it. */
export function presentBot(row: BotRow): Bot {
  const { version, events, groups, edges, variables, theme, settings } = row
  return {
    ...trustFlow({ version, events, groups, edges, variables, theme, settings }),
    id: row.id,
    name: row.name,
    selectedThemeTemplateId: row.selectedThemeTemplateId,
    ...printTimes(row),
    icon: row.icon,
    folderId: row.folderId,
    publicId: row.publicId,
    customDomain: row.customDomain,
    workspaceId: row.workspaceId,
    resultsTablePreferences: row.resultsTablePreferences as ResultsTablePreferences | null,
    isArchived: row.isArchived,
    isClosed: row.isClosed,
    whatsAppCredentialsId: row.whatsappCredentialsId,
    riskLevel: row.riskLevel,
  }
}

/** The same for callers who may only look at it and copy it. */
export function presentToGuest(row: BotRow): Bot {
  const bot = presentBot(row)
  return {
    ...bot,
    groups: withoutCredentials(bot.groups),
    whatsAppCredentialsId: null,
    riskLevel: null,
    resultsTablePreferences: null,
    folderId: null,
    selectedThemeTemplateId: null,
    customDomain: null,
  }
}

/** Converts a flow to the latest version. Returns undefined when it has no start. */
export function convert<T extends Flow>(stored: T): T | undefined {
  if (hasEvents(stored.version)) return stored
  const flow = toLatest(readFlow(stored), newId)
  return flow && { ...stored, ...flow }
}

/** As `convert`; throws when that is impossible. */
export function mustConvert<T extends Flow>(stored: T): T {
  const converted = convert(stored)
  if (converted !== undefined) return converted
  throw new AppError("INTERNAL_SERVER_ERROR", "The bot has no start and cannot be converted")
}

/** Checks the changes of a bot that a caller sends, and turns them into columns. */
import { type BotChange, type BotFacts, findGroups, isAddressTaken } from "../db/bots/bots.ts"
import { hasFolder } from "../db/bots/folders.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { listKnownCredentials } from "../db/people/credentials.ts"
import { type Group, hasEvents, type SchemaVersion } from "../engine/bot.ts"
import { AppError, badRequest } from "../lib/errors.ts"
import { hasProPerks } from "../lib/plans.ts"
import type { BotChanges } from "./botInput.ts"
import { invalidPublicId, isCustomDomain, isPublicId, plainDomain } from "./publicIds.ts"
import {
  credentialsIn,
  sanitiseSettings,
  withKnownCredentials,
  withSessionFlags,
} from "./sanitise.ts"
import { publicIdTaken } from "./violations.ts"

/** The columns to change; undefined ones stay. Refuses invalid changes. */
export async function readChanges(
  db: Db,
  facts: BotFacts,
  changes: BotChanges,
): Promise<BotChange> {
  checkVersion(facts, changes)
  await checkAddresses(db, facts, changes)
  await checkFolder(db, facts, changes)
  const { name, version, icon, selectedThemeTemplateId, folderId, publicId, isClosed } = changes
  const { customDomain, events, edges, theme, settings, resultsTablePreferences } = changes
  return {
    name,
    version,
    icon,
    selectedThemeTemplateId,
    folderId,
    publicId,
    isClosed,
    customDomain: customDomain && plainDomain(customDomain),
    events: events ?? undefined,
    edges,
    theme: theme ?? undefined,
    settings: settings ? sanitiseSettings(settings, { plan: facts.plan, isNew: false }) : undefined,
    resultsTablePreferences: resultsTablePreferences && JSON.stringify(resultsTablePreferences),
    ...(await readGroups(db, facts, changes)),
    variables: await readVariables(db, facts, changes),
  }
}

function checkVersion({ version: stored }: BotFacts, { version, events }: BotChanges): void {
  const hadEvents = hasEvents(stored as SchemaVersion)
  const willHaveEvents = version === undefined ? hadEvents : hasEvents(version)
  if (hadEvents && !willHaveEvents) throw badRequest("The version of a bot cannot go back below 6")
  if (!hadEvents && willHaveEvents && !events) {
    throw badRequest("A bot gets version 6 only together with its events")
  }
  if (!willHaveEvents && events) throw badRequest("A bot has no events before version 6")
}

/** Unchanged values are always accepted: they may be older than the rules. */
async function checkAddresses(db: Db, facts: BotFacts, { publicId, customDomain }: BotChanges) {
  const hasNewId = typeof publicId === "string" && publicId !== facts.publicId
  if (hasNewId && !isPublicId(publicId)) throw invalidPublicId()
  if (hasNewId && (await isAddressTaken(db, { publicId, exceptBy: facts.id }))) {
    throw publicIdTaken(publicId)
  }
  if (typeof customDomain !== "string" || customDomain === facts.customDomain) return
  if (!hasProPerks(facts.plan))
    throw new AppError("DOMAIN_NOT_IN_PLAN", "Custom domains are not part of the plan")
  if (!isCustomDomain(plainDomain(customDomain))) throw badRequest("Invalid custom domain")
}

async function checkFolder(db: Db, facts: BotFacts, { folderId }: BotChanges): Promise<void> {
  if (typeof folderId !== "string") return
  const isKnown = await hasFolder(db, { workspaceId: facts.workspaceId, folderId })
  if (!isKnown) throw new AppError("FOLDER_UNKNOWN", "Folder not found")
}

/** Groups and the channel's credential, checked against the workspace in one query. */
async function readGroups(db: Db, facts: BotFacts, changes: BotChanges): Promise<BotChange> {
  const { groups, whatsAppCredentialsId: channel } = changes
  const ids = [...(groups ? credentialsIn(groups) : []), ...(channel ? [channel] : [])]
  const { workspaceId, plan } = facts
  const known = await listKnownCredentials(db, { workspaceId, ids })
  if (channel && !known.has(channel))
    throw new AppError("CREDENTIALS_UNKNOWN", "WhatsApp credentials not found")
  return {
    groups: groups && withKnownCredentials(groups, known, plan),
    whatsappCredentialsId: channel === "" ? null : channel,
  }
}

async function readVariables(db: Db, { id }: BotFacts, { variables, groups }: BotChanges) {
  if (variables === undefined) return undefined
  const effective = groups ?? ((await findGroups(db, id)) as Group[] | undefined) ?? []
  return withSessionFlags(variables, effective)
}

/** Turns a draft back into one of its versions. */
import type { BotFacts } from "../db/bots/bots.ts"
import type { VersionRow } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { type Flow, hasEvents } from "../engine/bot.ts"
import type { Settings } from "../engine/schema/settings.ts"
import { sanitiseFlow } from "./sanitiseFlow.ts"
import { mustConvert, trustFlow } from "./storedFlow.ts"

/** The changes that turn a draft into a version, as far as its workspace and plan allow. */
export async function changeTo(
  db: Db,
  { workspaceId, plan, version }: BotFacts,
  { schemaVersion, payload }: VersionRow,
): Promise<Flow> {
  const stored = trustFlow({ version: schemaVersion, ...payload })
  // A draft never goes back below version 6: clients that have opened it would not understand it.
  const isTooOld = hasEvents(version as Flow["version"]) && !hasEvents(stored.version)
  const flow = isTooOld ? mustConvert(stored) : stored
  return await sanitiseFlow(db, flow, { workspaceId, plan, isNew: false })
}

/** The settings with the draft's own sharing: a restore must not change who may see a bot. */
export function keepSharing(
  settings: Settings,
  { publicShare }: Record<string, unknown>,
): Record<string, unknown> {
  const { publicShare: _, ...others } = settings
  return publicShare === undefined ? others : { ...others, publicShare }
}

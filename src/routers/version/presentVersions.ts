/** Presents versions together with the chats that still run them. */
import type { BotFacts } from "../../db/bots/bots.ts"
import type { ListedVersion } from "../../db/bots/versions.ts"
import { countOpenChats } from "../../db/chats/openChats.ts"
import { firstUuidAt } from "../../ids.ts"
import type { Asker } from "../access.ts"
import { presentVersion } from "./schema.ts"

/** Chats that began before are not looked for: hardly any goes on for so long. */
const countedMs = 30 * 86_400_000

/** Presents versions of one bot, in their order. */
export async function presentVersions(
  { db, user }: Asker,
  facts: BotFacts,
  rows: readonly ListedVersion[],
) {
  const versionIds = rows.map(({ id }) => id)
  const fromId = firstUuidAt(Date.now() - countedMs)
  const counts = await countOpenChats(db, { botId: facts.id, versionIds, fromId })
  return rows.map((row) => presentVersion(row, { facts, user, openChats: counts.get(row.id) ?? 0 }))
}

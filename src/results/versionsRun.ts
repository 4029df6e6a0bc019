/** The versions that chats of a bot ran. */
import { findVersionNumbers } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/open.ts"
import type { VersionCounts } from "../db/results/counts.ts"
import type { Snapshots } from "../effects/snapshots.ts"
import { flowOfMark } from "../engine/analytics/recorded.ts"
import type { Bot } from "../engine/bot.ts"
import { isUuid } from "../ids.ts"
import { loadBots } from "./loadBots.ts"

/** A version that chats ran: its flow, and its number. */
export type RunVersion = { bot: Bot; number: number | undefined }

/** The versions that results began with, and those that marks name: linked bots, later chats. */
export async function readVersionsRun(
  db: Db,
  all: readonly VersionCounts[],
  snapshots: Snapshots,
): Promise<Map<string, RunVersion>> {
  const ids = all.flatMap(({ versionId, counts: { marks } }) => [
    versionId,
    ...Object.keys(marks).flatMap((mark) => flowOfMark(mark) ?? []),
  ])
  const numbers = await findVersionNumbers(db, ids.filter(isUuid))
  const bots = await loadBots(snapshots, numbers.keys())
  return new Map([...bots].map(([id, bot]) => [id, { bot, number: numbers.get(id) }]))
}

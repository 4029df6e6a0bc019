/** The versions that chats of a bot ran. */
import { findVersionNumbers } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/open.ts"
import type { VersionCounts } from "../db/results/counts.ts"
import { flowOfMark } from "../engine/analytics/recorded.ts"
import type { Bot } from "../engine/bot.ts"
import { isUuid } from "../ids.ts"

/** A version that chats ran: its flow, and its number. */
export type RunVersion = { bot: Bot; number: number | undefined }

/** Loads the flow of a version; undefined: it is gone. */
type LoadVersion = (id: string) => Promise<Loaded> | Loaded
type Loaded = { bot: Bot } | undefined

/** The versions that results began with, and those that marks name: linked bots, later chats. */
export async function readVersionsRun(
  db: Db,
  all: readonly VersionCounts[],
  load: LoadVersion,
): Promise<Map<string, RunVersion>> {
  const ids = all.flatMap(({ versionId, counts: { marks } }) => [
    versionId,
    ...Object.keys(marks).flatMap((mark) => flowOfMark(mark) ?? []),
  ])
  const numbers = await findVersionNumbers(db, [...new Set(ids)].filter(isUuid))
  const versions = new Map<string, RunVersion>()
  for (const [id, number] of numbers) {
    const snapshot = await load(id)
    if (snapshot) versions.set(id, { bot: snapshot.bot, number })
  }
  return versions
}

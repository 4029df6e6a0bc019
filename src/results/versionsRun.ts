/** The versions that chats of a bot ran. */
import { findVersionNumbers } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { VersionCounts } from "../db/results/counts.ts"
import type { Snapshots } from "../effects/snapshots.ts"
import { flowOfMark } from "../engine/analytics/recorded.ts"
import type { Bot } from "../engine/bot.ts"
import { isUuid } from "../lib/ids.ts"

/** The versions that chats ran, those that are still there. */
export type VersionsRun = {
  /** By id, the newest first. */
  numbers: ReadonlyMap<string, number>
  /** Loads one after the other, in that order: a bot may have more of them than memory holds. */
  load(): AsyncIterable<{ id: string; bot: Bot }>
}

/** The versions that results began with, and those that marks name: linked bots, later chats. */
export async function readVersionsRun(
  db: Db,
  all: readonly VersionCounts[],
  snapshots: Pick<Snapshots, "load">,
): Promise<VersionsRun> {
  const ids = all.flatMap(({ versionId, counts: { marks } }) => [
    versionId,
    ...Object.keys(marks).flatMap((mark) => flowOfMark(mark) ?? []),
  ])
  const found = await findVersionNumbers(db, ids.filter(isUuid))
  const numbers = new Map([...found].sort(([, one], [, other]) => other - one))
  return {
    numbers,
    async *load() {
      for (const id of numbers.keys()) {
        const snapshot = await snapshots.load(id)
        if (snapshot) yield { id, bot: snapshot.bot }
      }
    },
  }
}

/** Counts the current contents of bots' results. */
import type { Db } from "../db/connection/openDatabase.ts"
import {
  countAnswers,
  countChosen,
  countMarks,
  countModelUse,
  countOpen,
  countSeconds,
  countStarts,
  listBlocksOfTypes,
  listResultIds,
} from "../db/results/analytics.ts"
import type { ResultRange } from "../db/results/resultAddress.ts"
import { flowOfMark } from "../engine/analytics/recorded.ts"
import { choiceTypes } from "../engine/blocks/registry.ts"
import { callerLeft } from "../lib/errors.ts"
import { isUuid } from "../lib/ids.ts"
import type { Sums } from "./createSums.ts"

export type CountRequest = ResultRange & {
  botIds: readonly string[]
  nowMs: number
  /** True: the caller has gone, so counting ends with an error. */
  hasLeft?: (() => boolean) | undefined
  /** How many to count at most, the newest; absent: all. */
  limit?: number | undefined
}

/** How far a count got. */
export type CountedResults = {
  count: number
  /** Results before this id are left; absent: all are counted. */
  leftBeforeId?: string
}

/** Chats without a turn for so long are over, unless they have an expiry of their own. */
const openMs = 2 * 86_400_000

/** Results that are read at once. */
export const pageSize = 2_000

/** Adds the contents of bots' results in a range to sums, newest first, page by page; archived ones do not count. */
export async function countResults(
  db: Db,
  sums: Sums,
  { botIds, fromId, beforeId, nowMs, hasLeft, limit = Infinity }: CountRequest,
): Promise<CountedResults> {
  const choices = createChoices(db)
  let count = 0
  for (let endId = beforeId; ; ) {
    if (hasLeft?.()) throw callerLeft()
    const size = Math.min(pageSize, limit - count)
    const found = await listResultIds(db, { botIds, fromId, beforeId: endId, limit: size + 1 })
    const ids = found.slice(0, size)
    const last = ids.at(-1)
    if (last === undefined) return { count, ...(found.length > 0 && { leftBeforeId: endId }) }
    const starts = await countStarts(db, ids)
    const marks = await countMarks(db, ids)
    const flows = marks.flatMap(({ name }) => flowOfMark(name) ?? [])
    await choices.learn([...starts.map(({ versionId }) => versionId), ...flows])
    sums.add(starts)
    sums.add(marks)
    sums.add(await countAnswers(db, ids))
    sums.add(await countChosen(db, ids, choices.blocks()))
    sums.add(await countSeconds(db, ids))
    sums.add(await countModelUse(db, ids))
    sums.add(await countOpen(db, ids, new Date(nowMs - openMs)))
    count += ids.length
    if (found.length <= size) return { count }
    endId = last
  }
}

/** The blocks with choices of the versions that were met so far. */
function createChoices(db: Db) {
  const known = new Set<string>()
  const found = new Set<string>()
  return {
    blocks: () => [...found],
    async learn(versions: readonly string[]): Promise<void> {
      const versionIds = [...new Set(versions)].filter((id) => isUuid(id) && !known.has(id))
      if (versionIds.length === 0) return
      for (const id of versionIds) known.add(id)
      const blocks = await listBlocksOfTypes(db, { versionIds, types: choiceTypes })
      for (const id of blocks) found.add(id)
    },
  }
}

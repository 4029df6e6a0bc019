/** Counts the latest chats of the bots in a list, within bounds that do not depend on how many there were. */
import { sql } from "kysely"
import { firstUuidAt } from "../../lib/ids.ts"
import type { Source } from "../connection/openDatabase.ts"
import { anyText } from "../schema/anyOf.ts"
import { quarterMs } from "./analytics.ts"
import { dayOf, quartersOfDay } from "./countedDays.ts"

/** Days that count, today included. */
export const recentDays = 7

/** Results that one list counts now: those of days that were not counted ahead. */
export const maxUncounted = 20_000

type Chats = { botId: string; chats: number }

/** Counts them by bot; a bot that is missing had none. */
export async function countRecentChats(
  { kysely }: Source,
  { botIds, nowMs }: { botIds: readonly string[]; nowMs: number },
): Promise<ReadonlyMap<string, number>> {
  if (botIds.length === 0) return new Map()
  const today = Math.floor(nowMs / (quarterMs * quartersOfDay)) * quartersOfDay
  const first = today - (recentDays - 1) * quartersOfDay
  const days = await kysely
    .selectFrom("analyticsDays")
    .select("day")
    .where("day", ">=", dayOf(first))
    .where("countedAt", "is not", null)
    .execute()
  const ahead = new Set(days.map(({ day }) => day))
  let uncounted = first
  while (uncounted < today && ahead.has(dayOf(uncounted))) uncounted += quartersOfDay
  const counted = await sql<Chats>`
    select bot_id as "botId", sum(starts.value::int)::int as chats
    from analytics_counts, jsonb_each_text(counts->'startsAt') as starts
    where bot_id = ${anyText(botIds)} and quarter >= ${first} and quarter < ${uncounted}
    group by 1`.execute(kysely)
  const since = firstUuidAt(uncounted * quarterMs)
  const others = await sql<Chats>`
    select bot_id as "botId", count(*)::int as chats from (
      select bot_id from results
      where bot_id = ${anyText(botIds)} and result_id >= ${since}::uuid and not is_archived
      limit ${sql.lit(maxUncounted)}
    ) as recent group by 1`.execute(kysely)
  const sums = new Map<string, number>()
  for (const { botId, chats } of [...counted.rows, ...others.rows])
    sums.set(botId, (sums.get(botId) ?? 0) + chats)
  return sums
}

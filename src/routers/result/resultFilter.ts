/** Which results a request means: the period and the filters that lists, exports and analytics share. */

import { z } from "zod"
import { findVersion } from "../../db/bots/versions.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import type { ResultFilter } from "../../db/results/listing.ts"
import { badRequest, orNotFound } from "../../lib/errors.ts"
import { firstUuidAt } from "../../lib/ids.ts"
import { type Span, spanBetween, spanOf, timeFilters } from "../../results/days.ts"
import { keySchema } from "../conversation/conversationSchemas.ts"
import { versionNumberSchema } from "../sharedSchemas.ts"

const momentSchema = z
  .string()
  .max(40)
  .refine(
    (bound) =>
      [z.iso.date(), z.iso.datetime({ offset: true })].some(
        (each) => each.safeParse(bound).success,
      ),
    "must be a day such as 2026-03-01 or a time such as 2026-03-01T10:00:00Z",
  )

export const spanMembers = {
  timeFilter: z
    .enum(timeFilters)
    .meta({ id: "TimeFilter", description: "Period in days, including today" })
    .optional()
    .describe(
      "Period in days, including today; absent: `last7Days`, unless `from` or `to` is given",
    ),
  from: momentSchema
    .optional()
    .describe(
      "Only chats that started on this day (`2026-03-01`) or at this time (ISO 8601), or later",
    ),
  to: momentSchema
    .optional()
    .describe("Only chats that started on this day or earlier, or before this time"),
  timeZone: z
    .string()
    .max(64)
    .default("UTC")
    .describe("IANA time zone in which days are counted, for example `Europe/Berlin`"),
}

const spanSchema = z.object(spanMembers)

/** The period of a request. Throws a 400 for an invalid zone or period. */
export function spanAsked(
  { timeFilter, from, to, timeZone }: z.infer<typeof spanSchema>,
  nowMs: number,
): Span {
  if (from === undefined && to === undefined) {
    return spanOf(timeFilter ?? "last7Days", timeZone, nowMs)
  }
  if (timeFilter === undefined) return spanBetween({ from, to }, timeZone)
  throw badRequest("Send `timeFilter`, or `from` and `to`, but not both", [
    { message: "Given with `from` or `to`", path: ["timeFilter"], code: "custom" },
  ])
}

const statusSchema = z
  .enum(["completed", "partial"])
  .meta({ id: "ResultStatus", description: "Whether the chat reached an end" })

export const filterMembers = {
  ...spanMembers,
  status: statusSchema.optional().describe("Only results of this status; absent: of both"),
  version: versionNumberSchema.optional().describe("Only results of this version; absent: of all"),
  conversationKey: keySchema
    .optional()
    .describe("Only results of conversations under this key; absent: of all chats"),
  search: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe(
      "Only results with this text in an answer or in the value of a variable, in any case, with accents or without",
    ),
}

const filterSchema = z.object(filterMembers)

/** The filter of a request. Throws a 404 when the bot has no such version. */
export async function filterOf(
  db: Db,
  botId: string,
  asked: z.infer<typeof filterSchema>,
): Promise<ResultFilter> {
  const { status, search, conversationKey } = asked
  const { fromMs = 0, beforeMs = lastMs } = spanAsked(asked, Date.now())
  const version = await versionOf(db, botId, asked.version)
  return {
    botId,
    fromId: firstUuidAt(Math.max(fromMs, version?.fromMs ?? 0)),
    beforeId: firstUuidAt(beforeMs),
    versionId: version?.id,
    isCompleted: status && status === "completed",
    conversationKey,
    search,
  }
}

/** The last moment that an id can have. */
const lastMs = 2 ** 48 - 1
/** How far the clocks of the database and of processes may differ. */
const clockSlackMs = 3_600_000

/** The version to filter by, and the earliest start of its results. */
export async function versionOf(
  db: Db,
  botId: string,
  number: number | undefined,
): Promise<{ id: string; fromMs: number } | undefined> {
  if (number === undefined) return undefined
  const found = orNotFound(await findVersion(db, { botId, number }), `Version ${number}`)
  return { id: found.id, fromMs: found.createdAt.getTime() - clockSlackMs }
}

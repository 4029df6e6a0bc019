/** Which results a request means: the filters that lists and exports share. */
import { z } from "zod"
import { findVersion } from "../../db/bots/versions.ts"
import type { Db } from "../../db/connection/open.ts"
import type { ResultFilter } from "../../db/results/listing.ts"
import { notFound } from "../../errors.ts"
import { firstUuidAt } from "../../ids.ts"
import type { Span } from "../../results/days.ts"
import { keySchema } from "../conversation/schema.ts"
import { versionNumberSchema } from "../version/schema.ts"
import { spanAsked, spanMembers } from "./timeFilter.ts"

const statusSchema = z
  .enum(["completed", "partial"])
  .meta({ id: "ResultStatus", description: "Whether the chat reached an end" })

/** The members of requests that filter results. */
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
      "Only results with this text in an answer or in the value of a variable, in any case",
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
  const bounds = boundsOf(spanAsked(asked, Date.now()))
  const version = await versionOf(db, botId, asked.version)
  const from = [bounds.from, version?.from]
    .filter((id) => id !== undefined)
    .toSorted()
    .at(-1)
  return {
    botId,
    from,
    before: bounds.before,
    versionId: version?.id,
    isCompleted: status && status === "completed",
    conversationKey,
    search,
  }
}

/** How far the clocks of the database and of processes may differ. */
const clockSlackMs = 3_600_000

/** The version that results are filtered by, and the first id that such a result can have. */
async function versionOf(
  db: Db,
  botId: string,
  number: number | undefined,
): Promise<{ id: string; from: string } | undefined> {
  if (number === undefined) return undefined
  const found = await findVersion(db, { botId, number })
  if (found === undefined) throw notFound(`Version ${number}`)
  return { id: found.id, from: firstUuidAt(found.createdAt.getTime() - clockSlackMs) }
}

/** A time span as bounds of ids, which are ordered by time. */
function boundsOf({ fromMs, beforeMs }: Span): { from?: string; before?: string } {
  return {
    ...(fromMs !== undefined && { from: firstUuidAt(fromMs) }),
    ...(beforeMs !== undefined && { before: firstUuidAt(beforeMs) }),
  }
}

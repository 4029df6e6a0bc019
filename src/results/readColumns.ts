/** Reads the columns of a table of results from the flows that the chats ran. */
import { type FlowRow, findFlow, listVersionsBeside } from "../db/bots/versions.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import type { ResultFilter } from "../db/results/listing.ts"
import { type Bot, type Flow, linkedBotIds, prepareBot } from "../engine/bot.ts"
import { collectColumns } from "../engine/recorded/resultColumns.ts"
import { listVersionsOf } from "./listResults.ts"

type Reader = { db: Db; hasLeft: (() => boolean) | undefined }

/** Max versions whose columns are collected in brief. */
const maxBriefVersions = 50

/**
 * Collects the columns of the versions in a span, and of the bots that these link. `isBrief`: only those of the
 * newest results and versions, within the time of a page.
 */
export async function collectColumnsOf(
  ctx: Reader,
  filter: ResultFilter,
  { isBrief = false } = {},
) {
  const { db, hasLeft } = ctx
  const { botId } = filter
  const collection = collectColumns()
  const linked = new Set<string>()
  const add = async (versionId: string, isLinked: boolean) => {
    const row = await findFlow(db, versionId)
    if (!row) return
    const bot = botOf(row, versionId)
    collection.add(bot, { isLinked })
    for (const id of linkedBotIds(bot.flow.groups, bot.id)) linked.add(id)
  }
  const versionIds = await listVersionsOf(db, filter, { hasLeft, isBrief })
  const read = isBrief ? versionIds.slice(0, maxBriefVersions) : versionIds
  for (const versionId of read) await add(versionId, false)
  const limit = isBrief ? maxBriefVersions : maxLinkedVersions
  await addLinked(ctx, { botId, linked, limit, add: (versionId) => add(versionId, true) })
  return collection
}

/** Max versions of linked bots read, including bots that those link in turn. */
const maxLinkedVersions = 200

/** Adds the columns of linked bots, and of those that they link: `add` puts them into `linked`. */
async function addLinked(
  { db }: Pick<Reader, "db">,
  asked: {
    botId: string
    linked: Set<string>
    limit: number
    add(versionId: string): Promise<void>
  },
): Promise<void> {
  const { botId, linked, limit, add } = asked
  const seen = new Set([botId])
  let left = limit
  for (;;) {
    const otherIds = [...linked].filter((id) => !seen.has(id))
    if (otherIds.length === 0 || left <= 0) return
    for (const id of otherIds) seen.add(id)
    const versionIds = await listVersionsBeside(db, { botId, otherIds, limit: left })
    for (const versionId of versionIds) await add(versionId)
    left -= versionIds.length
  }
}

function botOf({ botId, schemaVersion, payload }: FlowRow, versionId: string): Bot {
  // It was validated when it was published.
  const flow = { version: schemaVersion, ...payload } as unknown as Flow
  return prepareBot(flow, versionId, botId)
}

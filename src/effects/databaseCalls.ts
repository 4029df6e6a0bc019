/** Performs calls with the database: linked bots, histories of results, webhook calls. */
import { readFlow } from "../authoring/upgrade/validateFlow.ts"
import { findDraft } from "../db/bots/bots.ts"
import { findHistory, findLinkedVersion } from "../db/chats/runnable.ts"
import { takeWebhookCall } from "../db/chats/webhookCalls.ts"
import type { Db } from "../db/connection/openDatabase.ts"
import { turnsOf } from "../engine/recorded/recordedTurn.ts"
import { spoken } from "../engine/shown.ts"
import { tooExpensive } from "../lib/errors.ts"
import { callsId } from "../lib/ids.ts"
import { failed } from "./failures.ts"
import type { Performer } from "./perform.ts"
import type { Snapshots } from "./snapshots.ts"

type BotDeps = { db: Db; snapshots: Snapshots }

/** Finds linked bots: in a live chat the published version, in a preview the draft if the user may see it. */
export function createLinkedBots({ db, snapshots }: BotDeps): Performer<"bot"> {
  return async ({ botId }, { workspaceId, previewerId, isPreview, isRestricted }) => {
    if (workspaceId === undefined || isRestricted) return unknown
    if (!isPreview) {
      const version = await findLinkedVersion(db, { botId, workspaceId })
      return version === undefined ? unknown : { version }
    }
    if (previewerId === undefined) return unknown
    const draft = await findDraft(db, { botId, workspaceId, userId: previewerId })
    if (!draft) return unknown
    const flow = readFlow(draft)
    const owner = { name: `workspace:${workspaceId}`, isAnonymous: false }
    const { version } = await snapshots.keepPreview(flow, botId, owner)
    return { version }
  }
}

/** Reads the messages of a result. */
export function createHistory(db: Db): Performer<"history"> {
  return async ({ resultId }) => {
    const history = await findHistory(db, resultId)
    if (!history) throw tooExpensive("The conversation is too long for a transcript of it")
    return { lines: spoken(turnsOf(history).flatMap(({ passed }) => passed)) }
  }
}

const unknown = failed("There is no such bot in the workspace")

/** Takes the oldest webhook call for a waiting block. */
export function createInboundCalls(db: Db): Performer<"inboundCall"> {
  return async ({ blockId, step }, { sessionId }) => {
    const wait = { resultId: callsId(sessionId), sessionId, blockId, step }
    const taken = await takeWebhookCall(db, wait)
    return taken ? { body: taken.body } : {}
  }
}

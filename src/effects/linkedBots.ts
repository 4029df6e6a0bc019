/** Answers calls that stay in the house: which version a linked bot runs, what a result holds. */
import { findDraft } from "../db/bots/drafts.ts"
import { findHistory, findLinkedVersion } from "../db/chats/runnable.ts"
import type { Snapshots } from "../db/chats/snapshots.ts"
import type { Db } from "../db/connection/open.ts"
import type { Failure } from "../engine/calls.ts"
import type { Change } from "../engine/records.ts"
import { readFlow } from "../engine/upgrade/validateFlow.ts"
import type { Performer } from "./perform.ts"

type Parts = { db: Db; snapshots: Snapshots }

/** Finds linked bots: what is published in a live chat; in a preview the draft, if its caller may see it. */
export function openLinkedBots({ db, snapshots }: Parts): Performer<"bot"> {
  return {
    isOutside: () => false,
    async perform({ botId }, { workspaceId, previewerId, isPreview, isRestricted }) {
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
    },
  }
}

/** Reads what results hold so far. */
export function openHistory(db: Db): Performer<"history"> {
  return {
    isOutside: () => false,
    async perform({ resultId }) {
      const { answers, steps } = await findHistory(db, resultId)
      return {
        answers: answers.map(({ attachedFileUrls, ...answer }) => ({
          ...answer,
          ...(attachedFileUrls ? { attachedFileUrls } : {}),
        })),
        edges: steps.flatMap(({ edges }) => edges),
        // Only turns write them, in this form.
        changes: steps.flatMap(({ changes }) => (changes ?? []) as Change[]),
      }
    },
  }
}

const unknown: Failure = { failed: true, description: "There is no such bot in the workspace" }

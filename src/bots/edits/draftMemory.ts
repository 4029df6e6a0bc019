/** Remembers the last edited drafts, so that edits need not read and parse them again. */
import { LRUCache } from "lru-cache"
import type { LockedBot } from "../../db/bots/withLockedBot.ts"
import type { Draft } from "../../engine/edit/draft.ts"

/** A draft as it was stored; it is never changed. */
export type KnownDraft = {
  revision: number
  updatedAt: Date
  draft: Draft
  size: DraftSize
}

/** How large a draft is, in bytes. */
export type DraftSize = {
  json: number
  /** About. */
  memory: number
}

export type DraftMemory = ReturnType<typeof createDraftMemory>

/** In memory: some 75 ordinary bots. */
const maxBytes = 32 * 1024 * 1024
/** The usual length of editing sessions. */
const usualMs = 10 * 60_000

/** A process has one. */
export function createDraftMemory() {
  const drafts = new LRUCache<string, KnownDraft>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => size.memory,
    ttl: usualMs,
    updateAgeOnGet: true,
  })
  return {
    /** The current draft of a locked bot; undefined: not remembered. */
    recall({ id, revision, updatedAt }: LockedBot) {
      const known = drafts.get(id)
      const isPresent = known?.revision === revision && +known.updatedAt === +updatedAt
      return isPresent ? known : undefined
    },
    remember(botId: string, known: KnownDraft) {
      drafts.set(botId, known)
    },
  }
}

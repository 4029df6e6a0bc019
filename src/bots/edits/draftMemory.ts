/** The drafts that were edited last, so that an edit of a large one need not read and parse it again. */
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

/** The drafts that a process remembers. */
export type DraftMemory = {
  /** The draft of a bot that nobody changes meanwhile; undefined: it is not known as it is now. */
  recall(bot: LockedBot): KnownDraft | undefined
  remember(botId: string, known: KnownDraft): void
}

/** In memory: some 75 ordinary bots. */
const maxBytes = 32 * 1024 * 1024
/** People edit for a while, and then do something else. */
const usualMs = 10 * 60_000

/** A process has one. */
export function createDraftMemory(): DraftMemory {
  const drafts = new LRUCache<string, KnownDraft>({
    maxSize: maxBytes,
    sizeCalculation: ({ size }) => size.memory,
    ttl: usualMs,
    updateAgeOnGet: true,
  })
  return {
    recall({ id, revision, updatedAt }) {
      const known = drafts.get(id)
      const isPresent = known?.revision === revision && +known.updatedAt === +updatedAt
      return isPresent ? known : undefined
    },
    remember(botId, known) {
      drafts.set(botId, known)
    },
  }
}

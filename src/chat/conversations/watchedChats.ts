/** The chats that the team watches, in whichever process: their turns are announced, those of others cost nothing. */
import { LRUCache } from "lru-cache"
import type { Notifications } from "../../db/connection/notifications.ts"

export type WatchedChats = ReturnType<typeof openWatchedChats>

/** A process that serves watchers repeats it several times within this. */
const watchedMs = 15_000

/** Max ids in a notification, which takes 8,000 bytes. */
const maxAnnounced = 200

/** Opens them; a process has one. */
export function openWatchedChats({ on, notify }: Pick<Notifications, "on" | "notify">) {
  const watched = new LRUCache<string, true>({ max: 50_000, ttl: watchedMs })
  const close = on("chats_watched", (payload) => {
    for (const resultId of payload.split(" ")) watched.set(resultId, true)
  })
  return {
    /** Looked into at every turn. */
    ids: watched as { has(resultId: string): boolean },
    /** Has every process announce the turns of chats. */
    async watch(resultIds: readonly string[]) {
      for (let start = 0; start < resultIds.length; start += maxAnnounced) {
        await notify("chats_watched", resultIds.slice(start, start + maxAnnounced).join(" "))
      }
    },
    close,
  }
}

/** The store of a conversation's session, which its first message opens. */
import type { ChatIds } from "../../db/chats/sessions.ts"
import type { Chat } from "../chat.ts"
import { createLiveStore, saveLive, storeLiveSession } from "../sessions/liveStore.ts"
import type { LoadedSession, SessionStore } from "../sessions/sessionStore.ts"

type ConversationStore = SessionStore & {
  /** Has the chat begin with a session. To be called before the turn runs. */
  begin(fresh: LoadedSession): void
}

/**
 * The store of a chat that several requests may open at once: each inserts the same row, so that one
 * of them wins, and the others continue its session.
 */
export function createConversationStore(chat: Chat, ids: ChatIds): ConversationStore {
  const live = createLiveStore(chat, ids)
  let isStored = false
  let fresh: LoadedSession | undefined
  return {
    claims: {
      ...live.claims,
      async claim(revision) {
        // Others look for the claim in the session's row.
        if (!isStored && fresh) isStored = await storeLiveSession(chat, ids, fresh)
        return isStored ? live.claims.claim(revision) : undefined
      },
    },
    // Other first messages look for the row, even of a chat that was over at once.
    get keepsEnded() {
      return fresh !== undefined
    },
    async find(key) {
      const found = await live.find(key)
      isStored = found.session !== undefined
      fresh = undefined
      return found
    },
    begin(loaded) {
      fresh = loaded
    },
    save: (turn) => saveLive(chat, ids, { ...turn, revision: isStored ? turn.revision : null }),
  }
}

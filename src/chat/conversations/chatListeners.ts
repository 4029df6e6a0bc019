/** Wakes members of the team who watch a chat when there is something new in it, in whichever process. */
import { listRevisions } from "../../db/chats/conversations.ts"
import type { ChatIds } from "../../db/chats/sessions.ts"
import type { Notifications } from "../../db/connection/notifications.ts"
import { openWaitingClients } from "../../db/connection/waitingClients.ts"
import { createBell } from "../../lib/bell.ts"
import { createCap } from "../../lib/caps.ts"
import { type AppError, tooManyRequests } from "../../lib/errors.ts"
import type { Chat } from "../chat.ts"
import type { WatchedChats } from "./watchedChats.ts"

/** `listening`: nothing that happens from now on is missed; `news`: read the chat; `typing`: the person types. */
type Waking = "listening" | "news" | "typing"

/** A member who watches a chat. */
type Watching = ChatIds & {
  workspaceId: string
  userId: string
  /** Aborts when the member leaves or the service stops. */
  signal: AbortSignal
}

export type ChatListeners = {
  /** Yields once for any number of changes since the last time. Throws a 429 when too many streams are open. */
  hear(watching: Watching): AsyncGenerator<Waking, void>
  close(): void
}

type ChatListenersOptions = {
  chat: Pick<Chat, "db" | "log">
  notifications: Pick<Notifications, "on">
  watched: Pick<WatchedChats, "watch">
}

/** Interval of wakings in silent chats, at which rights are checked. */
const admitMs = 30_000

type Client = {
  sessionId: string
  wake(): void
  ring(): void
  isTyping: boolean
  hasNews: boolean
  /** As it was polled last; undefined: not yet, or there is no session. */
  revision: number | undefined
  wokenAt: number
}

/** Opens it; a process has one. */
export function openChatListeners({
  chat: { db, log },
  notifications,
  watched,
}: ChatListenersOptions): ChatListeners {
  const admit = createCap("chatStreams")
  const clients = openWaitingClients<Client>({
    log,
    notifications,
    channel: "session_told",
    check: (client) => client.wake(),
    async poll(resultIds, clientsOf) {
      await watched.watch(resultIds)
      const revisions = await listRevisions(db, resultIds)
      for (const client of resultIds.flatMap(clientsOf)) {
        const revision = revisions.get(client.sessionId)
        if (isDue(client, revision)) client.wake()
        client.revision = revision
      }
    },
  })
  const stopTyping = notifications.on("session_typing", (payload) => {
    const [resultId = "", from] = payload.split(" ")
    if (from !== "person") return
    for (const client of clients.of(resultId)) {
      client.isTyping = true
      client.ring()
    }
  })
  return {
    async *hear({ resultId, sessionId, workspaceId, userId, signal }) {
      const { ring, rings } = createBell(signal)
      const release = admit({ workspace: workspaceId, user: userId }, tooManyStreams)
      const client: Client = {
        ...{ sessionId, ring, isTyping: false, hasNews: true, revision: undefined, wokenAt: 0 },
        wake() {
          client.hasNews = true
          ring()
        },
      }
      const remove = clients.add(resultId, client)
      try {
        await watched.watch([resultId])
        yield "listening"
        while (await rings()) {
          const { hasNews, isTyping } = client
          Object.assign(client, { hasNews: false, isTyping: false, wokenAt: performance.now() })
          // A message follows what was typed.
          if (hasNews) yield "news"
          else if (isTyping) yield "typing"
        }
      } finally {
        remove()
        release()
      }
    },
    close() {
      stopTyping()
      clients.close()
    },
  }
}

function isDue({ revision: known, wokenAt }: Client, revision: number | undefined): boolean {
  return revision !== known || performance.now() - wokenAt > admitMs
}

/** The 429 for a workspace or a user with too many streams. */
function tooManyStreams(): AppError {
  const words =
    "Too many streams of chats of this workspace, or of yours, are open: close unused ones"
  return tooManyRequests("openStreams", words, 10)
}

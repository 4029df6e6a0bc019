/** Notifies the listeners of a bot of edits, publications, and presence. */

import {
  type BotState,
  type LandedEdit,
  listBotStates,
  listEditsAfter,
} from "../../db/bots/changes.ts"
import { listPublications, type PublicationRow } from "../../db/bots/publications.ts"
import type { Notifications } from "../../db/connection/notifications.ts"
import type { Db } from "../../db/connection/openDatabase.ts"
import { openWaitingClients } from "../../db/connection/waitingClients.ts"
import { createBell } from "../../lib/bell.ts"
import { createCap } from "../../lib/caps.ts"
import { type AppError, orNotFound, tooManyRequests } from "../../lib/errors.ts"
import type { Log } from "../../telemetry/log.ts"
import { openPresence, type Presence, type Present } from "./presence.ts"

/** News of a bot for its listeners. */
export type BotNews =
  /** The stream is complete from this revision on. */
  | { type: "listening"; revision: number }
  | { type: "edited"; edit: LandedEdit }
  /** The draft was changed as a whole, or so much of it that reading it again costs less. */
  | { type: "replaced"; revision: number }
  | { type: "published"; publication: PublicationRow }
  | { type: "present"; present: Present[] }

/** A listener of a bot. */
type Hearing = {
  botId: string
  person: Pick<Present, "userId" | "name">
  /** The listener's revision of the draft; absent: the current one. */
  after?: number | undefined
  /** Checks the listener's rights before each delivery; rejects without them. */
  admit(): Promise<unknown>
  /** Aborts when the listener leaves or the service stops. */
  signal: AbortSignal
}

export type BotListeners = Pick<Presence, "focus"> & {
  /** Reads news of a bot, lazily as the reader requests them. */
  hear(hearing: Hearing): AsyncGenerator<BotNews, void>
  /** Notifies every process of news of a bot. */
  notify(botId: string): void
  close(): void
}

type BotListenersOptions = {
  db: Db
  log: Log
  notifications: Pick<Notifications, "on" | "notify">
  processId: string
}

/** Interval of rights checks for idle listeners. */
const admitMs = 30_000

/** Max revisions behind; beyond, reading the draft again costs less. */
const maxBehind = 1_000

/** Edits read at a time, with their inverses; for larger ones listeners read the draft. */
const page = { limit: 10, maxBytes: 256 * 1024 }

type Client = {
  wake(): void
  /** The last revision delivered. */
  after: number
  /** The last publication delivered; 0: none existed; undefined: none delivered yet. */
  publishedAt: number | undefined
  admittedAt: number
}

/** Opens it; a process has one. */
export function openBotListeners(options: BotListenersOptions): BotListeners {
  const { db, log, notifications } = options
  const presence = openPresence(options)
  const admitStream = createCap("botStreams")
  const clients = openWaitingClients<Client>({
    log,
    notifications,
    channel: "bot_changed",
    check: (client) => client.wake(),
    async poll(botIds, clientsOf) {
      const states = new Map((await listBotStates(db, botIds)).map((state) => [state.botId, state]))
      for (const botId of botIds)
        for (const client of clientsOf(botId)) if (isDue(client, states.get(botId))) client.wake()
    },
  })
  return {
    focus: presence.focus,
    notify: (botId) => void notifications.notify("bot_changed", botId),
    async *hear({ botId, person, after, admit, signal }) {
      const bell = createBell(signal)
      const release = admitStream({ bot: botId, user: person.userId }, tooManyStreams)
      const client: Client = { wake: bell.ring, after: 0, publishedAt: undefined, admittedAt: 0 }
      let stop = () => {}
      let leave = () => {}
      try {
        const { revision } = await readState(db, botId)
        client.after = Math.min(after ?? revision, revision)
        stop = clients.add(botId, client)
        leave = presence.enter(botId, { ...person, onChange: bell.ring })
        yield { type: "listening", revision: client.after }
        // A listener may have a revision from before a restore.
        if (after !== undefined && after > revision) yield { type: "replaced", revision }
        let shown = ""
        while (await bell.rings()) {
          await admit()
          client.admittedAt = performance.now()
          yield* newsOf(db, botId, client)
          const present = presence.list(botId)
          const isShown = JSON.stringify(present) === shown
          shown = JSON.stringify(present)
          if (!isShown) yield { type: "present", present }
        }
      } finally {
        leave()
        stop()
        release()
      }
    },
    close() {
      clients.close()
      presence.close()
    },
  }
}

/** Whether news or a rights check are due for a client. */
function isDue({ after, publishedAt, admittedAt }: Client, state: BotState | undefined): boolean {
  const isNew = after !== state?.revision || publishedAt !== timeOf(state)
  return isNew || performance.now() - admittedAt > admitMs
}

function timeOf({ publishedAt }: Pick<BotState, "publishedAt">): number {
  return publishedAt?.getTime() ?? 0
}

async function readState(db: Db, botId: string): Promise<BotState> {
  const [state] = await listBotStates(db, [botId])
  return orNotFound(state, "Bot")
}

/** News not yet delivered to a client: edits in order, then publications. */
async function* newsOf(db: Db, botId: string, client: Client): AsyncGenerator<BotNews, void> {
  const state = await readState(db, botId)
  const { revision } = state
  while (client.after < revision) {
    const { after } = client
    const isNear = revision - after <= maxBehind
    const edits = isNear ? await listEditsAfter(db, { botId, after, ...page }) : []
    // A revision without an edit changed everything, is no longer kept, or is too large.
    if (edits[0]?.revision !== after + 1) break
    for (const edit of edits) {
      if (edit.revision !== client.after + 1) break
      client.after = edit.revision
      yield { type: "edited", edit }
    }
  }
  if (client.after < revision) {
    client.after = revision
    yield { type: "replaced", revision }
  }
  const { publishedAt } = client
  if (publishedAt !== undefined && publishedAt >= timeOf(state)) return
  // New listeners only get the last.
  const which = publishedAt === undefined ? { limit: 1 } : { after: new Date(publishedAt) }
  const publications = await listPublications(db, { botId, limit: maxBehind, ...which })
  // Later publications than in that state may exist by now.
  client.publishedAt = publications[0]?.at.getTime() ?? timeOf(state)
  for (const publication of publications.toReversed()) yield { type: "published", publication }
}

/** The 429 for a bot or a user with too many streams. */
function tooManyStreams(): AppError {
  const words = "Too many streams of this bot, or of yours, are open: close unused ones"
  return tooManyRequests("openStreams", words, 10)
}

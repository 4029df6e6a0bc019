/** Tells those who work on a bot what becomes of it: edits, publications, and who else is there. */

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
import { createCap } from "../../lib/caps.ts"
import { type AppError, orNotFound, tooManyRequests } from "../../lib/errors.ts"
import type { Log } from "../../telemetry/log.ts"
import { openPresence, type Presence, type Present } from "./presence.ts"

/** What somebody hears. */
export type BotNews =
  /** Nothing that happens from this revision on is missed. */
  | { type: "listening"; revision: number }
  | { type: "edited"; edit: LandedEdit }
  /** The draft was changed as a whole, or so much of it that reading it again costs less. */
  | { type: "replaced"; revision: number }
  | { type: "published"; publication: PublicationRow }
  | { type: "present"; present: Present[] }

/** Who listens to which bot. */
type Hearing = {
  botId: string
  person: Pick<Present, "userId" | "name">
  /** The revision of the draft that they have; absent: the present one. */
  after?: number | undefined
  /** Whether they still may, as they did when they came; rejects when they may not. Asked before each telling. */
  admit(): Promise<unknown>
  /** Aborts when they leave or the service stops. */
  signal: AbortSignal
}

/** The listeners of this process. */
export type BotListeners = Pick<Presence, "focus"> & {
  /** Reads what becomes of a bot; what comes next is read once the reader asks for it. */
  hear(hearing: Hearing): AsyncGenerator<BotNews, void>
  /** Has every process look for news of a bot. */
  tell(botId: string): void
  close(): void
}

type BotListenersOptions = {
  db: Db
  log: Log
  notifications: Pick<Notifications, "on" | "notify">
  processId: string
}

/** Whoever hears nothing is asked for their rights this often. */
const admitMs = 30_000

/** Further behind than this, reading the draft again costs less. */
const maxBehind = 1_000

/** As many edits are read at a time, with what they take back; whoever hears of a larger one reads the draft. */
const page = { limit: 10, maxBytes: 256 * 1024 }

type Client = {
  wake(): void
  /** The revision that it has heard of. */
  after: number
  /** The last publication when it heard of them; 0: there was none; undefined: it has yet to hear. */
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
    tell: (botId) => void notifications.notify("bot_changed", botId),
    async *hear({ botId, person, after, admit, signal }) {
      const bell = newBell(signal)
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
        // Somebody may have what this service never had, or has no longer after a restore.
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

/** Whether a client has something to hear, or to be asked. */
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

/** What a client has not heard yet: edits in their order, then publications. */
async function* newsOf(db: Db, botId: string, client: Client): AsyncGenerator<BotNews, void> {
  const state = await readState(db, botId)
  const { revision } = state
  while (client.after < revision) {
    const { after } = client
    const isNear = revision - after <= maxBehind
    const edits = isNear ? await listEditsAfter(db, { botId, after, ...page }) : []
    // A revision without an edit changed everything, is no longer kept, or holds too much.
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
  // Who begins to listen hears only of the last.
  const which = publishedAt === undefined ? { limit: 1 } : { after: new Date(publishedAt) }
  const publications = await listPublications(db, { botId, limit: maxBehind, ...which })
  // There may be later ones by now than there were in that state.
  client.publishedAt = publications[0]?.at.getTime() ?? timeOf(state)
  for (const publication of publications.toReversed()) yield { type: "published", publication }
}

/** The 429 for a bot or a user with too many streams. */
function tooManyStreams(): AppError {
  const words = "Too many streams of this bot, or of yours, are open; close those that nobody reads"
  return tooManyRequests("openStreams", words, 10)
}

/** What wakes a reader: however often it was rung, they are woken once. */
function newBell(signal: AbortSignal) {
  let isRung = true
  let wake = () => {}
  const ring = () => {
    isRung = true
    wake()
  }
  signal.addEventListener("abort", ring, { once: true })
  return {
    ring,
    /** Resolves once it was rung since the last time; to false when the signal was aborted. */
    async rings(): Promise<boolean> {
      if (!isRung) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      isRung = false
      return !signal.aborted
    },
  }
}

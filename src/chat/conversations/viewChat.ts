/** Shows the chats of conversations: their state, where they wait, and their variables. */
import {
  type Ending,
  listEndings,
  listSessions,
  type ShownSession,
} from "../../db/chats/conversations.ts"
import type { ChatIds } from "../../db/chats/sessions.ts"
import type { Bot } from "../../engine/bot.ts"
import type { Variable } from "../../engine/schema/variable.ts"
import { readSession, type Session } from "../../engine/session.ts"
import { AppError } from "../../lib/errors.ts"
import { timeOfUuid } from "../../lib/ids.ts"
import type { Chat } from "../chat.ts"
import { loadBot } from "../sessions/loadSession.ts"
import { type ConversationState, stateOfSession, type Waiting, waitingOf } from "./state.ts"

/** A chat as it is shown. */
export type ChatView = ChatIds & {
  key: string | undefined
  botId: string
  versionId: string
  state: ConversationState
  startedAt: Date
  updatedAt: Date
  pausedAt: Date | undefined
  /** When the bot goes on by itself. */
  resumesAt: Date | undefined
  /** Id of the user in charge. */
  assigneeId: string | undefined
  /** When silence ends it; absent: it is over. */
  expiresAt: Date | undefined
  waitsFor: Waiting["waitsFor"] | undefined
  /** Session variables have no value here. */
  variables: { name: string; value?: unknown }[]
}

/** How long a chat without a time of its own is kept after its last turn. */
const usualMs = 48 * 3_600_000

type Chats = Pick<Chat, "db" | "snapshots">

/**
 * Shows chats in the order given, without those that left nothing. `isList`: variables may be
 * incomplete.
 */
export async function viewChats(
  chat: Chats,
  chats: readonly (ChatIds & { key?: string | undefined })[],
  { isList = false } = {},
): Promise<ChatView[]> {
  const sessions = await listSessions(
    chat.db,
    chats.map(({ resultId }) => resultId),
  )
  const bySession = new Map(sessions.map((row) => [row.id, row]))
  const gone = chats.filter(({ sessionId }) => !bySession.has(sessionId))
  const endings = gone.length === 0 ? [] : await listEndings(chat.db, gone)
  const byEnding = new Map(endings.map((row) => [row.sessionId, row]))
  const views: ChatView[] = []
  for (const ids of chats) {
    const row = bySession.get(ids.sessionId)
    const ending = byEnding.get(ids.sessionId)
    if (row) {
      const view = await viewOpen(chat, ids, row)
      if (view) views.push(view)
    } else if (ending) {
      const snapshot = isList ? undefined : await chat.snapshots.load(ending.versionId)
      views.push(viewOver(ids, ending, snapshot?.bot))
    }
  }
  return views
}

async function viewOpen(
  chat: Chats,
  { key: listedKey }: { key?: string | undefined },
  row: ShownSession,
) {
  const { resultId, id: sessionId, botId, versionId, updatedAt } = row
  const session = readSession(row.state)
  const bots = await loadBots(chat, session)
  if (!bots) return undefined
  const state = row.isExpired ? "expired" : stateOfSession(session, bots)
  const isOpen = state !== "expired" && state !== "ended"
  const { pausedAt, resumesAt, assigneeId, key = listedKey } = session.conversation ?? {}
  return {
    key,
    botId,
    versionId,
    resultId,
    sessionId,
    state,
    updatedAt,
    startedAt: startOf(resultId),
    pausedAt: dateOf(pausedAt),
    resumesAt: dateOf(resumesAt),
    assigneeId,
    expiresAt: isOpen ? (row.expiresAt ?? new Date(updatedAt.getTime() + usualMs)) : undefined,
    waitsFor: isOpen ? waitingOf(session, bots)?.waitsFor : undefined,
    variables: variablesOf(session, bots),
  }
}

function dateOf(ms: number | undefined): Date | undefined {
  return ms === undefined ? undefined : new Date(ms)
}

/** Undefined: one was deleted for good, so the chat cannot continue. */
async function loadBots(chat: Chats, session: Session): Promise<Map<string, Bot> | undefined> {
  const bots = new Map<string, Bot>()
  try {
    for (const { version } of session.queue) await loadBot(chat, { session, bots }, version)
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return undefined
    throw error
  }
  return bots
}

/** Read from the id of the result, which outlives the session. */
function startOf(resultId: string): Date {
  return new Date(timeOfUuid(resultId))
}

function viewOver(
  { resultId, sessionId, key }: ChatIds & { key?: string | undefined },
  { botId, versionId, state, endedAt, variables }: Ending,
  bot: Bot | undefined,
): ChatView {
  const startedAt = startOf(resultId)
  return {
    key,
    botId,
    versionId,
    resultId,
    sessionId,
    state,
    startedAt,
    updatedAt: endedAt ?? startedAt,
    pausedAt: undefined,
    resumesAt: undefined,
    assigneeId: undefined,
    expiresAt: undefined,
    waitsFor: undefined,
    variables: variablesLeft(variables, bot),
  }
}

/** Results store only the variables that have a value. */
function variablesLeft(stored: Ending["variables"], bot: Bot | undefined): ChatView["variables"] {
  const declared = (bot?.flow.variables ?? []).map(({ name, isSessionVariable }) =>
    isSessionVariable ? { name } : { name, value: null },
  )
  const left = stored.map(({ name, value = null }) => ({ name, value }))
  return [...new Map([...declared, ...left].map((each) => [each.name, each])).values()]
}

/** The variables of the bot that runs, and of its parents unless it has one with that name. */
function variablesOf(session: Session, bots: ReadonlyMap<string, Bot>): ChatView["variables"] {
  const shown = new Map<string, { name: string; value?: unknown }>()
  for (const running of session.queue) {
    const values = new Map(running.values.map(([id, value]) => [id, value]))
    const own: Variable[] = bots.get(running.version)?.flow.variables ?? []
    for (const { id, name, isSessionVariable } of [...own, ...(running.adopted ?? [])]) {
      if (shown.has(name)) continue
      const isHidden = isSessionVariable === true || running.hidden?.includes(id)
      shown.set(name, isHidden ? { name } : { name, value: values.get(id) ?? null })
    }
  }
  return [...shown.values()]
}

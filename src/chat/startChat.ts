/** Starts a chat on a published bot. */
import { findRunnable, type RunnableRow } from "../db/runnable.ts"
import { claimSession, findSession } from "../db/sessions.ts"
import { insertStartKey } from "../db/startKeys.ts"
import { saveTurn, type TurnToSave } from "../db/turns.ts"
import type { Bot } from "../engine/bot.ts"
import { liveLimits } from "../engine/limits.ts"
import type { Message } from "../engine/schema/message.ts"
import { openSession, type Session, writeSession } from "../engine/session.ts"
import { register, start } from "../engine/turn.ts"
import { conflict, notFound } from "../errors.ts"
import { isUuid, newSessionId, newUuid } from "../ids.ts"
import { admit, type Origin } from "./admission.ts"
import { loadLive } from "./bots.ts"
import type { Chat } from "./chat.ts"
import {
  type ChatAnswer,
  type Keyed,
  replayed,
  requireSameBody,
  startKeyId,
} from "./idempotency.ts"
import { type ChatStep, type RuntimeBot, respond, summarize, type TextFormat } from "./respond.ts"
import { rowsOf } from "./rows.ts"
import { runTurn, stageOf } from "./runTurn.ts"

export type StartChatRequest = Origin & {
  publicId: string
  message?: Message | undefined
  isStreamEnabled: boolean
  /** An earlier result to go on with, if the bot remembers its users. */
  resultId?: string | undefined
  isOnlyRegistering: boolean
  prefilledVariables?: Record<string, unknown> | undefined
  textFormat: TextFormat
  keyed?: Keyed | undefined
}

export type StartChatStep = ChatStep & { sessionId: string; resultId?: string; bot: RuntimeBot }

/** Starts a chat; a repetition of a keyed start gets the first one's answer. */
export async function startChat(
  chat: Chat,
  request: StartChatRequest,
): Promise<ChatAnswer<StartChatStep>> {
  const { keyed, publicId } = request
  const asked = request.resultId !== undefined && isUuid(request.resultId)
  const resultId = asked ? request.resultId : undefined
  const runnable = await findRunnable(chat.db, { publicId, resultId })
  const snapshot = runnable && (await chat.snapshots.load(runnable.versionId))
  if (!runnable || !snapshot) throw notFound("Bot")
  admit(chat, snapshot.bot, { runnable, from: request })
  const remembered = remembersUser(snapshot.bot) ? runnable.remembered : null
  const own = remembered && resultId !== undefined ? resultId : newUuid()
  const opened: Opened = {
    runnable: { ...runnable, remembered },
    bot: snapshot.bot,
    resultId: own,
    sessionId: newSessionId(own),
  }
  if (!keyed) return { step: await open(chat, request, opened), isReplayed: false }
  return chat.queue.run(`${publicId} ${keyed.key}`, () =>
    openKeyed(chat, request, { opened, keyed }),
  )
}

/** The ids of a new chat and what it runs. */
type Opened = { runnable: RunnableRow; bot: Bot; resultId: string; sessionId: string }

/** Whoever registers the key first decides the ids; whoever stores first decides the answer. */
async function openKeyed(
  chat: Chat,
  request: StartChatRequest,
  { opened, keyed }: { opened: Opened; keyed: Keyed },
): Promise<ChatAnswer<StartChatStep>> {
  const { resultId, sessionId } = opened
  const keyId = startKeyId(request.publicId, keyed.key)
  const row = await insertStartKey(chat.db, {
    keyId,
    resultId,
    sessionId,
    bodyHash: keyed.bodyHash,
  })
  requireSameBody(keyed, row.bodyHash)
  const address = { resultId: row.resultId, id: row.sessionId, key: keyed.key }
  const isFirst = row.sessionId === sessionId
  const earlier = isFirst ? undefined : (await findSession(chat.db, address)).response
  if (earlier) return replayed(keyed, earlier)
  const ids = { resultId: row.resultId, sessionId: row.sessionId }
  try {
    return { step: await open(chat, request, { ...opened, ...ids }), isReplayed: false }
  } catch (error) {
    const { response } = await findSession(chat.db, address)
    if (response) return replayed(keyed, response)
    throw error
  }
}

async function open(chat: Chat, request: StartChatRequest, opened: Opened): Promise<StartChatStep> {
  const { bot, runnable, resultId, sessionId } = opened
  const session = openLive(request, opened)
  const load = loadLive(chat)
  const bots = new Map([[bot.version, bot]])
  const stage = stageOf({ bots, limits: liveLimits })
  const save = (turn: Pick<TurnToSave, "state" | "rows" | "revision" | "keyed">) =>
    saveTurn(chat.db, { resultId, sessionId, ...turn })
  const owner = { resultId, botId: bot.id, versionId: bot.version }
  let revision: number | null = null
  const turn = request.isOnlyRegistering
    ? register(stage, session)
    : await runTurn(
        {
          effects: chat.effects,
          bots,
          load,
          limits: liveLimits,
          context: {
            workspaceId: runnable.workspaceId,
            botId: bot.id,
            resultId,
            sessionId,
            isPreview: false,
            isRestricted: false,
          },
          deadline: Date.now() + chat.turnTimeoutMs,
          // Only a keyed start can be run twice: its ids are known before it is stored.
          claim: async () => {
            if (!request.keyed) return true
            const rows = rowsOf([], owner, bots)
            if (!(await save({ state: writeSession(session), rows, revision: null }))) return false
            const seconds = chat.turnTimeoutMs / 1000
            const claim = { resultId, id: sessionId, revision: 0, seconds, by: chat.processId }
            revision = (await claimSession(chat.db, claim)) ?? null
            return revision !== null
          },
        },
        start(stage, session, { opening: request.message }),
      )
  if (!turn?.look) throw conflict("This chat is being started by another request")
  const isShown = turn.input !== undefined || turn.isWaiting
  const step: StartChatStep = {
    sessionId,
    ...(isShown ? { resultId } : {}),
    bot: summarize(bot, turn.look, runnable.publishedAt),
    ...respond(turn, request.textFormat),
  }
  const keyed = request.keyed && { ...request.keyed, body: JSON.stringify(step) }
  const rows = rowsOf(turn.results, owner, bots)
  const isSaved = await save({
    state: writeSession(turn.session),
    rows,
    revision,
    ...(keyed ? { keyed } : {}),
  })
  if (!isSaved) throw conflict("This chat was started by another request")
  return step
}

function openLive(request: StartChatRequest, { bot, runnable, resultId }: Opened): Session {
  const { remembered } = runnable
  return openSession({
    bot,
    isPreview: false,
    isStreamEnabled: request.isStreamEnabled,
    isProgressShown: bot.flow.theme.general?.progressBar?.isEnabled ?? false,
    resultId,
    prefilled: request.prefilledVariables,
    ...(remembered
      ? {
          remembered: {
            variables: remembered.variables,
            answers: remembered.answers,
            counts: { answers: remembered.nextAnswer, steps: remembered.nextStep },
          },
        }
      : {}),
  })
}

/** Whether a returning user goes on with the earlier result. */
function remembersUser(bot: Bot): boolean {
  const { general } = bot.flow.settings
  const isNew = general?.isNewResultOnRefreshEnabled
  return general?.rememberUser?.isEnabled ?? (isNew === undefined ? false : !isNew)
}

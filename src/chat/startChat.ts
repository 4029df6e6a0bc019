/** Starts a chat on a published bot. */
import { findRunnable, type RunnableRow } from "../db/chats/runnable.ts"
import { type FoundSession, findSession } from "../db/chats/sessions.ts"
import { insertStartKey } from "../db/chats/startKeys.ts"
import { saveTurn, type TurnToSave } from "../db/chats/turns.ts"
import type { Bot } from "../engine/bot.ts"
import { liveLimits } from "../engine/budget/limits.ts"
import type { TextFormat } from "../engine/payload.ts"
import type { Turn } from "../engine/run.ts"
import type { Message } from "../engine/schema/message.ts"
import { openSession, type Session, writeSession } from "../engine/session.ts"
import { register, start } from "../engine/turn.ts"
import { conflict, notFound } from "../shared/errors.ts"
import { isUuid, newSessionId, newUuid } from "../shared/ids.ts"
import { admit, type Origin } from "./admission.ts"
import { openBackOff } from "./backOff.ts"
import { type LoadedBots, loadLive } from "./bots.ts"
import type { Chat } from "./chat.ts"
import { openClaim } from "./claim.ts"
import {
  type ChatAnswer,
  type Keyed,
  replayed,
  requireSameBody,
  startKeyId,
} from "./idempotency.ts"
import { type ChatStep, type RuntimeBot, respond, summarize } from "./respond.ts"
import { rowsOf } from "./rows.ts"
import { engineDepsOf, runTurn, type TurnDeps } from "./runTurn.ts"
import { isClaimedByOthers, openSessionStore } from "./sessionStore.ts"
import {
  expiryOf,
  type Holding,
  hasAnswer,
  openHolding,
  unansweredOverheadBytes,
} from "./unanswered.ts"

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
  /** Whether nobody waits for the answer, and so for the session, any more. Absent: somebody does. */
  hasLeft?: (() => boolean) | undefined
  /** Where the caller is; absent: a caller with a token, whose chats may wait for an answer. */
  address?: string | undefined
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
  if (!keyed) {
    const step = await open(chat, request, opened)
    if (!step) throw conflict("This chat was started by another request")
    return { step, isReplayed: false }
  }
  const take = () => openKeyed(chat, request, { opened, keyed })
  return chat.queue.run(`${publicId} ${keyed.key}`, take, request.hasLeft)
}

/** The ids of a new chat and what it runs. */
type Opened = {
  runnable: RunnableRow
  bot: Bot
  resultId: string
  sessionId: string
  /** Revision of what an earlier try left, which stored no answer; absent: nothing. */
  left?: number | undefined
}

/** Whoever registers the key first decides the ids; whoever stores first decides the answer. */
async function openKeyed(
  chat: Chat,
  request: StartChatRequest,
  { opened, keyed }: { opened: Opened; keyed: Keyed },
): Promise<ChatAnswer<StartChatStep>> {
  // The bot, too: a public id may be given to another one.
  const keyId = startKeyId(["live", opened.bot.id, request.publicId], keyed.key)
  const { bodyHash } = keyed
  const { resultId, sessionId } = opened
  const row = await insertStartKey(chat.db, { keyId, resultId, sessionId, bodyHash })
  requireSameBody(keyed, row.bodyHash)
  const ids = { resultId: row.resultId, sessionId: row.sessionId }
  const address = { resultId: row.resultId, id: row.sessionId, key: keyed.key }
  const deadline = performance.now() + chat.turnTimeoutMs
  const backOff = openBackOff(deadline)
  let isFirst = row.sessionId === sessionId
  for (;;) {
    const { session, response } = isFirst ? nothing : await findSession(chat.db, address)
    if (response) return replayed(keyed, response)
    const isBusy = session !== undefined && isClaimedByOthers(chat, session)
    const chosen = { ...opened, ...ids, left: session?.revision }
    const step = isBusy ? undefined : await open(chat, request, chosen)
    if (step) return { step, isReplayed: false }
    if (performance.now() >= deadline) {
      throw conflict("This chat is being started by another request")
    }
    isFirst = false
    await backOff(session?.revision)
  }
}

const nothing: FoundSession = { session: undefined, response: undefined }

/** Undefined: another request started this chat first. 429: too much waits for a first answer. */
async function open(
  chat: Chat,
  request: StartChatRequest,
  opened: Opened,
): Promise<StartChatStep | undefined> {
  const { address } = request
  const holding = openHolding(chat.unanswered, { address, botId: opened.bot.id })
  let isStored = false
  try {
    // Before anything runs; the rest once it is known.
    await holding.hold(unansweredOverheadBytes)
    const step = await openHeld(chat, request, { ...opened, holding })
    isStored = step !== undefined
    return step
  } finally {
    if (!isStored) await holding.giveBack()
  }
}

async function openHeld(
  chat: Chat,
  request: StartChatRequest,
  opened: Opened & { holding: Holding },
): Promise<StartChatStep | undefined> {
  const { bot, runnable, resultId, sessionId, left, holding } = opened
  const session = openLive(request, opened)
  const bots: LoadedBots = new Map([[bot.version, bot]])
  const owner = { resultId, botId: bot.id, versionId: bot.version }
  const until = new Date(Date.now() + chat.unansweredMs)
  const save = (turn: Pick<TurnToSave, "rows" | "revision" | "keyed"> & { state: string }) =>
    saveTurn(chat.db, { resultId, sessionId, ...turn })
  const claim = openClaim(openSessionStore(chat, sessionId), left ?? 0, chat.log)
  const { lost } = claim
  let revision = left ?? null
  // Only a keyed start can be run twice: its ids are known before it is stored.
  const hold = async () => {
    if (!request.keyed) return true
    const rows = { ...rowsOf([], owner, bots), ...expiring(request, until.toISOString()) }
    const state = writeSession(session)
    if (revision === null && !(await save({ state, rows, revision }))) return false
    const isOurs = await claim.hold()
    revision = claim.revision()
    return isOurs
  }
  try {
    const turn = await runStart(chat, request, { opened, session, bots, claim: { hold, lost } })
    if (!turn?.appearance) return undefined
    const isShown = turn.input !== undefined || turn.isWaiting
    const step: StartChatStep = {
      sessionId,
      ...(isShown ? { resultId } : {}),
      bot: summarize(bot, turn.appearance, runnable.publishedAt),
      ...respond(turn),
    }
    const keyed = request.keyed && { ...request.keyed, body: JSON.stringify(step) }
    const rows = rowsOf(turn.results, owner, bots)
    const state = writeSession(turn.session)
    if (hasAnswer(turn)) await holding.giveBack()
    else {
      Object.assign(rows, expiring(request, expiryOf(turn, bots, until)))
      await holding.hold(state.length + (keyed?.body.length ?? 0))
    }
    const answer = keyed ? { keyed } : {}
    return (await save({ state, rows, revision, ...answer })) ? step : undefined
  } catch (error) {
    await claim.giveUp()
    throw error
  } finally {
    claim.end()
  }
}

function expiring({ address }: StartChatRequest, expiresAt: string): { expiresAt?: string } {
  return address === undefined ? {} : { expiresAt }
}

type Start = {
  opened: Opened
  session: Session
  bots: LoadedBots
  claim: TurnDeps["claim"]
}

async function runStart(
  chat: Chat,
  request: StartChatRequest,
  { opened, session, bots, claim }: Start,
): Promise<Turn | undefined> {
  const limits = liveLimits
  if (request.isOnlyRegistering) return register(engineDepsOf({ bots, limits }), session)
  const { bot, runnable, resultId, sessionId } = opened
  const { workspaceId } = runnable
  const context = { workspaceId, botId: bot.id, resultId, sessionId }
  const deps: TurnDeps = {
    log: chat.log,
    effects: chat.effects,
    measure: chat.measure,
    bots,
    load: loadLive(chat),
    limits,
    textFormat: request.textFormat,
    context: { ...context, isPreview: false, isRestricted: false },
    asked: request.keyed?.key,
    deadline: performance.now() + chat.turnTimeoutMs,
    claim,
    hasLeft: request.hasLeft,
  }
  return runTurn(deps, (deps) => start(deps, session, { opening: request.message }))
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

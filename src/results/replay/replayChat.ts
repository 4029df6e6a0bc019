/**
 * Replays a recorded conversation twice in the same world, with the version that it ran and with another: the
 * first difference between the two is the effect of the change, because nothing else can differ. No calls are
 * made: recorded answers are used, and an unrecorded call ends the replay.
 */
import { typeOf } from "../../engine/blocks/registry.ts"
import { type Bot, blockAt } from "../../engine/bot.ts"
import { isOld } from "../../engine/recorded/rebuildConversation.ts"
import type { RecordedTurn } from "../../engine/recorded/recordedTurn.ts"
import type { Answer } from "../../engine/records.ts"
import { createSession, type Session } from "../../engine/session.ts"
import { isCut, textOfAnswer } from "../../engine/shown.ts"
import type { Turn } from "../../engine/turn/run.ts"
import { AppError } from "../../lib/errors.ts"
import type { Difference, Replayed, ReplayObstacle } from "./difference.ts"
import { askOf, between, firstDifference } from "./firstDifference.ts"
import {
  type Cast,
  createAnswers,
  createMemory,
  type RecordedChat,
  type SetBy,
} from "./recordedChat.ts"
import { movesOf } from "./recordedMoves.ts"
import {
  type Answered,
  advance,
  type Effort,
  type Known,
  type KnownValue,
  type Move,
  maxDraws,
  type Played,
  type Playing,
  passedBy,
  play,
  type Side,
  valuesKept,
} from "./replaySide.ts"

/** Replays a conversation; the iterating caller runs the yielded scripts. */
export function* replayChat(chat: RecordedChat, cast: Cast, effort: Effort): Playing<Replayed> {
  const root = cast.bots.get(chat.version)
  if (!root) return { obstacle: "versionDeleted" }
  const turns = chat.turns.filter(isTurn)
  if (isOld(turns)) return { obstacle: "oldRecord" }
  const { after, workspace } = cast
  const others = [...cast.bots].filter(([, { id }]) => id !== after.id)
  const scene: Scene = {
    chat,
    cast,
    effort,
    setBy: createMemory(chat, cast),
    before: { session: openingOf(chat, root, cast), bots: cast.bots, past: [], workspace },
    after: {
      session: openingOf(chat, after, cast),
      bots: new Map([[after.version, after], ...others]),
      past: [],
      workspace,
    },
  }
  for (const [index, turn] of turns.entries()) {
    const taken = yield* takeTurn(scene, turn)
    if (typeof taken === "string") return { obstacle: taken }
    const difference = differenceIn(scene, taken)
    if (difference) {
      const isGone = !isFinished(taken.after)
      const next = isGone ? undefined : turns[index + 1]
      return { difference, isReadOtherwise: yield* isReadOtherwise(scene, taken, next) }
    }
  }
  const difference = differenceInResult(scene)
  return difference ? { difference, isReadOtherwise: false } : { isSame: true }
}

/** Before its first turn a chat may have been registered only. */
function isTurn({ shown, passed, changes, trace }: RecordedTurn): boolean {
  return shown !== undefined || passed.length > 0 || changes.length > 0 || trace !== undefined
}

/** A conversation while it is replayed. */
type Scene = {
  chat: RecordedChat
  cast: Cast
  effort: Effort
  setBy: SetBy
  before: Side
  after: Side
}

function openingOf(
  { resultId, turns }: RecordedChat,
  bot: Bot,
  { bots }: Pick<Cast, "bots">,
  prefilled: readonly KnownValue[] = [],
): Session {
  return createSession({
    bot,
    isPreview: false,
    // A client that reads streams has the chat wait where others get the whole answer at once.
    isStreamEnabled: turns.some(({ marks }) => marks.some((mark) => isOfStream(bots, mark))),
    resultId,
    prefilled: Object.fromEntries(prefilled.map(({ name, value }) => [name, value])),
  })
}

/** Whether a mark says that a chat went on after a block whose answer its client had read as a stream. */
function isOfStream(bots: Cast["bots"], mark: string): boolean {
  if (!mark.startsWith("on-")) return false
  return [...bots.values()].some((bot) => {
    const block = blockAt(bot.positions.get(mark.slice(3)))
    const type = block && typeOf(block)
    return type?.kind === "action" && type.stream !== undefined
  })
}

/** A turn of both replays. */
type Taken = {
  before: Turn
  after: Played
  /** The calls of the first replay, in order, and the number that the second made too. */
  asks: Ask[]
  asked: number
  /** The deviating call of the second. */
  other?: Ask | undefined
}

type Ask = { blockId: string | undefined; ask: string; answered?: Answered }

/** Takes a turn with both versions, of which the first must follow the record. */
function* takeTurn(scene: Scene, turn: RecordedTurn): Playing<Taken | ReplayObstacle> {
  if (turn.trace?.version !== undefined) return "continued"
  if (isCut(turn)) return "cutRecord"
  const known: Known = new Map()
  const isFirst = scene.before.session.step === 0
  const unopened = isFirst ? yield* prefill(scene, turn, known) : undefined
  if (unopened !== undefined) return unopened
  const moves = movesOf(turn, scene.before, scene.setBy)
  if (typeof moves === "string") return moves
  const followed = yield* follow(scene, turn, { moves, known })
  if (typeof followed === "string") return followed
  const { move, pattern, asks, played: before } = followed
  let asked = 0
  let other: Ask | undefined
  const after = yield* play(scene.after, move, {
    chance: { at: turn.at, pattern, draws: 0 },
    effort: scene.effort,
    known,
    answer(call, at) {
      const { blockId } = at.continuation
      other = { blockId, ask: askOf(call, at, scene.after.bots) }
      if (other.ask !== asks[asked]?.ask) return undefined
      other = undefined
      return inPlace(asks[asked++]?.answered, scene.cast)
    },
  })
  if (scene.effort.left <= 0) return "tooLong"
  const { resultId } = scene.chat
  advance(scene.before, before, resultId)
  if (isFinished(after)) advance(scene.after, after, resultId)
  return { before, after, asks, asked, other }
}

/** A bot that links itself enters the version that it is compared with. */
function inPlace(answered: Answered | undefined, { bots, after }: Cast): Answered | undefined {
  if (!answered || !("outcome" in answered) || !("version" in answered.outcome)) return answered
  const isItself = bots.get(answered.outcome.version)?.id === after.id
  return isItself ? { outcome: { version: after.version } } : answered
}

const isFinished = (played: Played): played is Turn =>
  !(played instanceof AppError) && played.call === undefined

type Followed = { move: Move; pattern: number; asks: Ask[]; played: Turn }

/** Tries moves, and ways in which dice may have fallen, until the version goes the way that was recorded. */
function* follow(
  { chat, cast, setBy, before, effort }: Scene,
  turn: RecordedTurn,
  { moves, known }: { moves: readonly Move[]; known: Known },
): Playing<Followed | ReplayObstacle> {
  let reached: ReplayObstacle = moves.length > 0 ? "diverged" : "steered"
  for (const move of moves) {
    let patterns = 1
    for (let pattern = 0; pattern < patterns; pattern++) {
      const asks: Ask[] = []
      const answerOf = createAnswers(turn, cast, setBy)
      const chance = { at: turn.at, pattern, draws: 0 }
      const played = yield* play(before, move, {
        ...{ chance, effort, known },
        answer(call, at) {
          const answered = answerOf(call, at)
          if (typeof answered === "string") {
            reached = answered
            return undefined
          }
          const { blockId } = at.continuation
          asks.push({ blockId, ask: askOf(call, at, before.bots), answered })
          return answered
        },
      })
      if (effort.left <= 0) return "tooLong"
      patterns = Math.max(patterns, 2 ** Math.min(chance.draws, maxDraws))
      if (isFinished(played) && follows(played, turn, chat.resultId)) {
        return { move, pattern, asks, played }
      }
    }
  }
  return reached
}

/** Whether a turn passed the blocks that the record names, with the same answers. */
function follows(played: Turn, recorded: RecordedTurn, resultId: string): boolean {
  const passed = passedBy(played, resultId)
  if (passed.length !== recorded.passed.length) return false
  return passed.every(({ blockId, isVisit, line }, place) => {
    const other = recorded.passed[place]
    if (blockId !== other?.blockId || isVisit !== other.isVisit) return false
    return isVisit || line?.text === other.line?.text
  })
}

/** Opens both sessions with the variables that came with the start, which count as set by the first block. */
function* prefill(
  scene: Scene,
  turn: RecordedTurn,
  known: Known,
): Playing<ReplayObstacle | undefined> {
  const { chat, cast, setBy, before, after, effort } = scene
  const first = turn.passed.find(({ isVisit }) => isVisit)?.blockId ?? ""
  const set = setBy(turn, first)
  if (typeof set === "string") return set
  if (set.length === 0) return undefined
  const chance = { at: turn.at, pattern: 0, draws: 0 }
  const answer = () => undefined
  const played = yield* play(before, { message: undefined }, { chance, effort, known, answer })
  const own = played instanceof AppError ? [] : setIn(played, first)
  // The block's own assignments come last.
  const prefilled = set.filter(({ id }, place) => {
    const left = set.slice(place).filter((each) => each.id === id).length
    return left > own.filter((each) => each === id).length
  })
  const root = cast.bots.get(chat.version)
  if (root) before.session = openingOf(chat, root, cast, prefilled)
  after.session = openingOf(chat, cast.after, cast, prefilled)
  return undefined
}

function setIn({ results, unnoted }: Turn, blockId: string): string[] {
  const changes = results.flatMap((record) => record.changes)
  const pairs = [...changes.map((each) => [each.blockId, each.variableId]), ...unnoted]
  return pairs.flatMap(([block, id]) => (block === blockId && id !== undefined ? [id] : []))
}

function differenceIn(scene: Scene, taken: Taken): Difference | undefined {
  return (
    differenceInAnswers(scene, taken) ??
    firstDifference(scene, taken) ??
    differenceOutside(scene, taken)
  )
}

const answersOf = (played: Played): Answer[] =>
  played instanceof AppError ? [] : played.results.flatMap(({ answers }) => answers)

function differenceInAnswers(scene: Scene, taken: Taken): Difference | undefined {
  if (taken.after instanceof AppError) return undefined
  const [old, now] = [answersOf(taken.before), answersOf(taken.after)]
  const place = Array.from({ length: Math.max(old.length, now.length) }).findIndex(
    (_, index) => textAt(old, index) !== textAt(now, index),
  )
  if (place < 0) return undefined
  const shownIn = (answers: readonly Answer[], { session }: Turn) => ({
    // A reply that was not accepted is asked for again.
    blockId: answers[place]?.blockId ?? session.at,
    excerpt: textAt(answers, place) ?? "",
  })
  return between("answer", scene, [shownIn(old, taken.before), shownIn(now, taken.after)])
}

function textAt(answers: readonly Answer[], index: number): string | undefined {
  const answer = answers[index]
  return answer && textOfAnswer(answer)
}

function differenceOutside(scene: Scene, taken: Taken): Difference | undefined {
  const { asks, asked, other } = taken
  const missing = asks[asked]
  if (!missing && !other) return undefined
  const [one, two] = [missing, other].map((each) => each && { ...each, excerpt: each.ask })
  return between("outside", scene, [one, two])
}

/** Whether the reply in which a difference lies, or the one after it, would have been read otherwise. */
function* isReadOtherwise(
  scene: Scene,
  taken: Taken,
  next: RecordedTurn | undefined,
): Playing<boolean> {
  if (differenceInAnswers(scene, taken)) return true
  const reply = next?.passed[0]
  if (!next || !reply || reply.isVisit) return false
  const more = yield* takeTurn(scene, next)
  if (typeof more === "string") return false
  return more.after instanceof AppError || differenceInAnswers(scene, more) !== undefined
}

/** A variable with different final values in the result. */
function differenceInResult(scene: Scene): Difference | undefined {
  const [old, now] = [valuesKept(scene.before), valuesKept(scene.after)]
  const variable = [...new Set([...old.keys(), ...now.keys()])].find(
    (name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)),
  )
  if (variable === undefined) return undefined
  const [one, two] = [old, now].map((values) => {
    const value = values.get(variable)
    return value === undefined ? undefined : { blockId: undefined, excerpt: String(value) }
  })
  return { ...between("variable", scene, [one, two]), variable }
}

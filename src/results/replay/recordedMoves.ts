/** The possible starts of a recorded turn. */
import { typeOf } from "../../engine/blocks/registry.ts"
import { blockAt } from "../../engine/bot.ts"
import type { RecordedTurn } from "../../engine/recorded/recordedTurn.ts"
import type { Answer } from "../../engine/records.ts"
import type { Message } from "../../engine/schema/message.ts"
import { currentOf } from "../../engine/session.ts"
import type { ReplayObstacle } from "./difference.ts"
import { hasMark, type SetBy } from "./recordedChat.ts"
import type { Move, Side } from "./replaySide.ts"

/**
 * The moves that a turn's record allows, the likeliest first: replaying them finds the right one. None: a
 * start that records do not contain, such as a jump from outside.
 */
export function movesOf(
  turn: RecordedTurn,
  { session, bots }: Side,
  setBy: SetBy,
): Move[] | ReplayObstacle {
  const reply = turn.passed.find(({ isVisit }) => !isVisit)
  const isCut = reply?.line?.isPartial === true && !answerTo(turn, reply.blockId)
  if (isCut) return "cutRecord"
  const { at } = session
  const message = reply && messageOf(turn, reply)
  if (at === undefined) return [{ message }]
  const bot = bots.get(currentOf(session).version)
  const block = blockAt(bot?.positions.get(at))
  const isAsked = block !== undefined && typeOf(block).kind === "input"
  const events = (bot?.flow.events ?? []).filter(
    ({ outgoingEdgeId }) => outgoingEdgeId !== undefined && hasMark(turn, outgoingEdgeId),
  )
  const commands = events.flatMap((event): Move[] => {
    const { command } = (event.type === "command" && event.options) || {}
    return command === undefined ? [] : [{ message: { type: "command", command } }]
  })
  const silences = events.flatMap((event): Move[] => {
    const { afterSeconds: seconds } = (event.type === "idle" && event.options) || {}
    return seconds === undefined ? [] : [{ seconds }]
  })
  const isHeard =
    message !== undefined ||
    hasMark(turn, `skip-${at}`) ||
    events.some(({ type }) => type === "reply" || type === "invalidReply")
  if (isAsked && isHeard) return [...commands, ...silences, { message }, silent]
  const isStill = turn.passed.length === 0
  if (isAsked && !isStill) return [...commands, ...silences]
  const set = setBy(turn, at)
  if (typeof set === "string") return set
  return [...commands, { set, goesOn: !isStill || hasMark(turn, `on-${at}`) }]
}

const silent: Move = { message: { type: "text", text: "" } }

/** A reply as it was accepted, or as an event got it first. */
function messageOf(turn: RecordedTurn, reply: RecordedTurn["passed"][number]): Message {
  const { content, attachedFileUrls } = answerTo(turn, reply.blockId) ?? {}
  const text = content ?? reply.line?.text ?? ""
  return { type: "text", text, ...(attachedFileUrls && { attachedFileUrls }) }
}

function answerTo({ answers, linked = new Map() }: RecordedTurn, blockId: string) {
  const all: Answer[] = [answers, ...[...linked.values()].map((each) => each.answers)].flat()
  return all.find((answer) => answer.blockId === blockId)
}

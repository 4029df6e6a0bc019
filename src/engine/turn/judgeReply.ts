/** Judges a reply, saves it, and decides where the chat goes next. */

import type { Verdict } from "../blocks/block.ts"
import { answerVariable, type Block, offersOf, typeOf } from "../blocks/registry.ts"
import { blockAt, type Position } from "../bot.ts"
import { judgingUnits, spend } from "../budget/fuel.ts"
import { asPlain, type CallKind } from "../calls.ts"
import type { Message } from "../schema/message.ts"
import { answerKey, currentOf } from "../session.ts"
import { textOfMessage } from "../shown.ts"
import { askAgain, askLater, askNow, replyParts } from "./ask.ts"
import { contextOf, inlineCall } from "./blockContext.ts"
import { fireReplyEvent } from "./events.ts"
import { applyChanges, recordAnswer, recordMark } from "./recording.ts"
import { type Run, storeOf } from "./run.ts"
import { noteAnswer, noteRefused, noteSaid } from "./showing.ts"
import { leaveAlong, ownContinuation, pauseFor, type StepResult } from "./stepResult.ts"

/** Processes a reply to an input; on return from a reply event the event does not fire again. */
export function answer(
  run: Run,
  here: Position,
  reply: { message: Message | undefined; isReturned?: boolean | undefined },
): StepResult {
  const block = blockAt(here)
  const type = block && typeOf(block)
  if (!block || type?.kind !== "input") return "next"
  run.continuation.blockId = block.id
  run.continuation.message = reply.message
  run.continuation.isReturned = reply.isReturned
  if (!reply.isReturned && reply.message?.type === "text") {
    run.continuation.said = reply.message.text
  }
  const call = inlineCall(run, replyParts(run, block))
  if (call) return pauseFor(run, call, "reply")
  spend(run.fuel, unitsOf(reply.message))
  return judge(run, here, type.reply(block, reply.message, contextOf(run)))
}

/** Applies an input's verdict on the current reply. */
export function judge(run: Run, here: Position, verdict: Verdict<CallKind>): StepResult {
  const block = blockAt(here)
  if (!block) return "next"
  const { message, isReturned, isTentative } = run.continuation
  if (typeof verdict === "object" && "call" in verdict) {
    return pauseFor(run, verdict.call, "replied")
  }
  if (verdict === "ask") {
    if (message) noteRefused(run, block, { message, words: "" })
    return askNow(run, block)
  }
  if (typeof verdict === "object" && "postponed" in verdict) return askLater(run, block, verdict)
  if (isTentative) {
    run.continuation.isTentative = undefined
    if (typeof verdict === "string") return leaveUnheard(run)
    run.input = undefined
  }
  // These options belonged to the question that is now answered.
  if (verdict === "retry") run.session.runtimeOptions = undefined
  const fired =
    (verdict === "retry" ? fireReplyEvent(run, here, "invalidReply") : undefined) ??
    (isReturned ? undefined : fireReplyEvent(run, here, "reply"))
  if (fired) {
    if (!isReturned) noteSaid(run, block, message)
    if (run.session.mark) run.session.mark.runtimeOptions = run.session.runtimeOptions
    return forget(run, { enter: fired })
  }
  if (verdict === "retry") return askAgain(run, block)
  if (verdict === "skip") {
    recordMark(run, `skip-${block.id}`)
    return forget(run, ownContinuation(block))
  }
  accept(run, here, block, verdict)
  const { edge } = verdict
  return forget(run, edge === undefined ? ownContinuation(block) : leaveAlong(run, block, edge))
}

/** The cost of judging a message, including the addresses of its attachments. */
function unitsOf(message: Message | undefined): number {
  if (message?.type !== "text") return 1
  const urls = message.attachedFileUrls ?? []
  return urls.reduce((sum, url) => sum + url.length, judgingUnits(message.text))
}

/** Ignores the reply and leaves the question unchanged. */
function leaveUnheard(run: Run): StepResult {
  run.isUnheard = true
  run.continuation.message = undefined
  run.continuation.inline = undefined
  return "stop"
}

type Accepted = Extract<Verdict, { accept: string }>

function accept(run: Run, here: Position, block: Block, verdict: Accepted): void {
  const content = verdict.accept
  // Read first: saving the answer may change the choices.
  const seen = wordsOf(run, block)
  save(run, block, verdict)
  const attachedFileUrls = verdict.attachedFileUrls?.length ? verdict.attachedFileUrls : undefined
  const answered = { blockId: block.id, content, attachedFileUrls }
  // A reply that an event handled first is already noted.
  if (!run.continuation.isReturned) noteAnswer(run, answered, seen)
  recordAnswer(run, answered)
  const running = currentOf(run.session)
  const key = answerKey(here, storeOf(run))
  const value = attachedFileUrls ? `${attachedFileUrls.join(", ")}\n\n${content}` : content
  running.answers = [...running.answers.filter(([other]) => other !== key), [key, value]]
  if (run.session.progress !== undefined) run.session.progress += 1
  const { message, said } = run.continuation
  if (message?.type !== "text" || message.text === content) return
  // An event may have kept the message of an earlier call until another input was answered.
  if (said === undefined || said === message.text) run.newFormat = content
}

/** The message as displayed: a choice by its label, other text unchanged. */
function wordsOf(run: Run, block: Block): string | undefined {
  const { message, isReturned } = run.continuation
  if (!message || isReturned) return undefined
  const type = typeOf(block)
  if (message.type !== "text" || type.kind !== "input" || !type.offers)
    return textOfMessage(message)
  const prompt = type.ask(block, contextOf(run))
  const offers = offersOf({ ...block, ...prompt }) ?? []
  spend(run.fuel, offers.length)
  const clicked = offers.find(({ id }) => id === message.metadata?.replyId)
  if (clicked) return clicked.label
  const named = new Map(
    offers.flatMap(({ id, value, label }) => [
      [value || id, label],
      [id, label],
    ]),
  )
  const labels = message.text.split(", ").map((part) => named.get(part))
  return labels.includes(undefined) ? message.text : labels.join(", ")
}

/**
 * Stores the answer in the linked variable; a list gains an element. Not recorded as a change. Only plain
 * text is stored.
 */
function save(run: Run, block: Block, verdict: Accepted): void {
  const store = storeOf(run)
  // The answer records attached files, but not which button of a card was pressed.
  const set = asPlain(verdict.set ?? [])
  if (verdict.attachedFileUrls) store.set(set)
  else if (verdict.set) applyChanges(run, block.id, set)
  const variableId = answerVariable(block)
  if (variableId === undefined || verdict.isSavedElsewhere) return
  const present = store.value(variableId)
  const value = Array.isArray(present) ? [...present, verdict.accept] : verdict.accept
  store.set([{ variableId, value, isPlain: true }])
}

function forget(run: Run, result: StepResult): StepResult {
  run.continuation.message = undefined
  run.continuation.isReturned = undefined
  run.continuation.inline = undefined
  if (run.session.runtimeOptions) run.session.runtimeOptions = undefined
  return result
}

/** Records the content and blocks of a turn, for transcripts and traces. */

import { cut } from "../../lib/cut.ts"
import { memoize } from "../../lib/memoize.ts"
import type { BlockContext } from "../blocks/block.ts"
import type { Block, TypeOfKind } from "../blocks/registry.ts"
import { readingUnits, spend } from "../budget/fuel.ts"
import type { BubbleContent } from "../payload.ts"
import type { Answer, ShownPart, ShownRecord } from "../records.ts"
import { toMarkdown } from "../richText/toMarkdown.ts"
import type { Message } from "../schema/message.ts"
import type { Variable } from "../schema/variable.ts"
import { currentOf } from "../session.ts"
import { type SpokenLine, textOfAnswer, textOfMessage } from "../shown.ts"
import { identifierOf } from "../variables/identifier.ts"
import { tokensIn, type Variables } from "../variables/interpolate.ts"
import { contextOf } from "./blockContext.ts"
import { recordOf } from "./recording.ts"
import { botOf, type Run } from "./run.ts"

/** Max characters kept of one line, and approximately of a whole turn. */
export const maxLine = 1_000
export const maxShown = 16_000

/** Records a block that shows nothing. */
export function noteVisit(run: Run, { id }: Block): void {
  note(run, id, id.length)
}

/** Records a bubble with its content. */
export function noteShown(
  run: Run,
  block: Block,
  { show }: TypeOfKind<"bubble">,
  shown: BubbleContent,
): void {
  if (!isKept(run)) return
  const context = contextOf(run)
  const isHidden = hiddenIn(run)
  const isAsShown = !isHidden && context.chat.textFormat === "richText"
  const hiding = isAsShown ? undefined : hide(context, isHidden ?? (() => false))
  // Not escaped: a transcript is data, and is escaped wherever it is displayed.
  const content = hiding ? show(block, hiding.context) : shown
  const isMasked = hiding?.wasRead() === true
  const text = (content && textOf(content)) || (isMasked ? "…" : "")
  if (text === "") {
    noteVisit(run, block)
    return
  }
  spend(run.fuel, readingUnits(text.length))
  const { type } = shown
  const isLong = text.length > maxLine
  const kept = isLong ? cut(text, maxLine) : text
  const isPartial = isLong || isMasked
  if (type !== "embed" && type !== "custom-embed") preview(run, { from: "bot", text: kept })
  const part = { b: block.id, t: kept, ...(type !== "text" && { k: type }), ...partly(isPartial) }
  note(run, part, block.id.length + kept.length)
}

/**
 * Records the block of an answer. The turn's answers hold the text, unless the reply was `said` differently.
 */
export function noteAnswer(run: Run, answer: Answer, said: string | undefined): void {
  const { blockId } = answer
  const text = textOfAnswer(answer)
  if (run.session.lines) preview(run, { from: "person", text })
  if (said === undefined || said === "" || said === text) {
    note(run, { a: blockId }, blockId.length)
    return
  }
  const kept = cut(said, maxLine)
  note(run, { a: blockId, s: kept, ...partly(kept !== said) }, blockId.length + kept.length)
}

/** Records a refused reply and the bot's words about it. */
export function noteRefused(
  run: Run,
  { id }: Block,
  { message, words }: { message: Message | undefined; words: string },
): void {
  if (currentOf(run.session).resultId === undefined) return
  const said = message && !run.continuation.isReturned ? textOfMessage(message) : ""
  const kept = cut(said, maxLine)
  // Values of session variables are never stored, and the words may contain them.
  const isHidden = words !== "" && hiddenIn(run) !== undefined
  const keptWords = isHidden ? "…" : cut(words, maxLine)
  const isPartial = isHidden || kept !== said || keptWords !== words
  const part = { q: id, t: kept, w: keptWords, ...partly(isPartial) }
  note(run, part, id.length + kept.length + keptWords.length)
}

/** Records a reply that goes to an event first: it may never become an answer. */
export function noteSaid(run: Run, { id }: Block, message: Message | undefined): void {
  const text = message ? textOfMessage(message) : ""
  if (text === "") return
  const kept = cut(text, maxLine)
  preview(run, { from: "person", text: kept })
  note(run, { a: id, t: kept, ...partly(kept !== text) }, id.length + kept.length)
}

/** Previews store no results, so the session keeps the lines that their transcripts need. */
function preview(run: Run, line: SpokenLine): void {
  const { session } = run
  // Leaves out bots that would record results of their own.
  if (session.lines && session.queue.slice(0, -1).every(({ isMerging }) => isMerging)) {
    session.lines.push(line)
  }
}

/** Whether records of this run are kept. */
function isKept(run: Run): boolean {
  return currentOf(run.session).resultId !== undefined || run.session.lines !== undefined
}

function note(run: Run, part: ShownPart, length: number): void {
  const shown = ensureShown(run)
  if (!shown || shown.left <= 0) return
  const { version } = currentOf(run.session)
  if (shown.version !== version) {
    shown.parts.push({ v: version })
    shown.version = version
    shown.left -= version.length
  }
  shown.left -= length
  shown.parts.push(shown.left > 0 ? part : { cut: 1 })
}

/** The record of a bot's content in this turn; the waiting bot's record refers to it. */
export function ensureShown(run: Run, depth = 0): ShownRecord | undefined {
  const { queue } = run.session
  const root = queue.at(-1)
  const running = queue[depth]
  const record = running && recordOf(run, running)
  if (!record || record.shown) return record?.shown
  const version = record.resultId === root?.resultId ? root.version : undefined
  record.shown = { parts: [], version, left: maxShown }
  const parent = queue.findIndex(
    ({ resultId }, place) => place > depth && resultId !== record.resultId,
  )
  if (parent >= 0) ensureShown(run, parent)?.parts.push({ r: record.resultId })
  return record.shown
}

const partly = (isPartial: boolean) => (isPartial ? ({ x: 1 } as const) : {})

function textOf(content: BubbleContent): string {
  if (content.type === "file") return content.content.name ?? ""
  if (content.type !== "text") return ("url" in content.content && content.content.url) || ""
  const text = content.content
  return text.type === "markdown" ? text.markdown : toMarkdown(text.richText)
}

/** Recognises session variables, whose values are never stored; undefined: there are none. */
function hiddenIn(run: Run): ((variable: Variable) => boolean) | undefined {
  const { hidden = [], adopted = [] } = currentOf(run.session)
  const isAny =
    hidden.length > 0 || adopted.some(isOfSession) || hasSessionVariable(botOf(run).flow.variables)
  return isAny ? (variable) => isOfSession(variable) || hidden.includes(variable.id) : undefined
}

const isOfSession = ({ isSessionVariable }: Variable) => isSessionVariable === true

const hasSessionVariable = memoize((variables: readonly Variable[]) => variables.some(isOfSession))

/** A context without hidden values. `wasRead`: the block read a hidden one. */
type HidingContext = { context: BlockContext; wasRead(): boolean }

/** The same context, with rich text output and without the values of hidden variables. */
function hide(context: BlockContext, isHidden: (variable: Variable) => boolean): HidingContext {
  const { variables: all, chat } = context
  let wasRead = false
  const without = (variable: Variable | undefined): Variable | undefined => {
    const value = variable?.value ?? null
    if (!variable || value === null || !isHidden(variable)) return variable
    wasRead = true
    return { ...variable, value: null }
  }
  const variables: Variables = {
    forCalls: () => variables,
    value: (id) => without(all.definition(id))?.value ?? undefined,
    isPlain: (id) => all.isPlain(id),
    definition: (id) => without(all.definition(id)),
    named: (name) => without(all.named(name)),
    list: () => all.list().flatMap((variable) => without(variable) ?? []),
  }
  const inline = (source: string) => {
    const names = tokensIn(source)
    const used = all.list().filter(({ id, name }) => {
      return names.includes(name) || source.includes(identifierOf(id))
    })
    const isVisible = used.map(without).every((variable, index) => variable === used[index])
    return isVisible ? context.inline(source) : { value: null }
  }
  const plain = { ...chat, textFormat: "richText" as const }
  return { context: { ...context, chat: plain, variables, inline }, wasRead: () => wasRead }
}

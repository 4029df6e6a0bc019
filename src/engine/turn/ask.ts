/** Shows an input, and shows it again after an invalid reply. */

import { pickText } from "../../lib/foreignJson.ts"
import type { BlockBase, BlockContext, InputPrompt, Postponed } from "../blocks/block.ts"
import { type Block, typeOf } from "../blocks/registry.ts"
import { escapingUnits, spend } from "../budget/fuel.ts"
import type { CallKind } from "../calls.ts"
import type { ChatInput } from "../chatInput.ts"
import type { TextContent } from "../payload.ts"
import { valueLeaf } from "../richText/provenance.ts"
import { toMarkdown } from "../richText/toMarkdown.ts"
import { textsIn } from "../texts.ts"
import { interpolate, templateOf } from "../variables/interpolate.ts"
import { contextOf } from "./blockContext.ts"
import { countPrinted } from "./budget.ts"
import { addLogs, recordMark } from "./recording.ts"
import { type Run, systemMessagesOf } from "./run.ts"
import { noteRefused } from "./showing.ts"
import { ownContinuation, pauseFor, type StepResult } from "./stepResult.ts"

/** Asks the user; the walk stops here. */
export function ask(run: Run, block: Block, prompt: InputPrompt<CallKind>): StepResult {
  if ("call" in prompt) return pauseFor(run, prompt.call, "visited")
  if ("postponed" in prompt) return askLater(run, block, prompt)
  const { options, items, prefilledValue, runtimeOptions } = prompt
  if (items?.length === 0) {
    // Without choices it cannot be answered.
    recordMark(run, `skip-${block.id}`)
    return ownContinuation(block)
  }
  const input: BlockBase & typeof prompt = { ...block }
  if (options !== undefined) input.options = options
  if (items !== undefined) input.items = items
  if (prefilledValue !== undefined) input.prefilledValue = prefilledValue
  if (runtimeOptions !== undefined) input.runtimeOptions = runtimeOptions
  countPrinted(run, input)
  // A block type fills these members in the shape of its own schema.
  run.input = input as ChatInput
  run.session.at = block.id
  // A member more would change the form of the session.
  if (runtimeOptions !== run.session.runtimeOptions) run.session.runtimeOptions = runtimeOptions
  return "stop"
}

/** Shows that the input is not available now. Any reply tries again. */
export function askLater(run: Run, block: Block, { postponed, log, runtimeOptions }: Postponed) {
  const { id } = block
  addLogs(run, log)
  const texts = textsIn(run.session.language)
  const words = say(run, id, texts[postponed])
  const { message } = run.continuation
  noteRefused(run, block, { message, words })
  run.input = { id, type: "choice input", items: [{ id: "retry", content: texts.tryAgain }] }
  countPrinted(run, run.input)
  run.session.at = id
  run.session.runtimeOptions = runtimeOptions
  return "stop" as const
}

/** Sends a text bubble and returns its text as Markdown. */
function say(run: Run, blockId: string, text: string): string {
  const content: TextContent =
    run.deps.textFormat === "markdown"
      ? { type: "markdown", markdown: text }
      : { type: "richText", richText: [{ type: "p", children: [{ text }] }] }
  countPrinted(run, content)
  run.messages.push({ id: blockId, type: "text", content })
  return content.type === "markdown" ? content.markdown : toMarkdown(content.richText)
}

/** Shows that the reply is invalid and asks again. */
export function askAgain(run: Run, block: Block): StepResult {
  const type = typeOf(block)
  if (type.kind !== "input") return "stop"
  const context = contextOf(run)
  const own = interpolateText(pickText(block, "options", "retryMessageContent"), context)
  const { invalidMessage } = systemMessagesOf(run)
  const ofBot = !type.retryText && invalidMessage ? interpolateText(invalidMessage, context) : ""
  const { retryText = "invalidMessage" } = type
  const words = say(run, block.id, own || ofBot || textsIn(run.session.language)[retryText])
  noteRefused(run, block, { message: run.continuation.message, words })
  return askNow(run, block)
}

/** Asks the input that the chat already waits at. */
export function askNow(run: Run, block: Block): StepResult {
  const type = typeOf(block)
  return type.kind === "input" ? ask(run, block, type.ask(block, contextOf(run))) : "stop"
}

/**
 * Replaces the text's tokens and inline code. Markdown answers escape the values, so that they look as in
 * rich text.
 */
function interpolateText(text: string | undefined, context: BlockContext): string {
  if (!text || context.chat.textFormat !== "markdown") return interpolate(text, context)
  const leaves = templateOf(text).map((part) => {
    if (typeof part === "string") return { text: part }
    const token = "name" in part ? `{{${part.name}}}` : `{{=${part.source}=}}`
    const value = interpolate(token, context)
    spend(context.fuel, escapingUnits(value.length))
    return valueLeaf(value)
  })
  return toMarkdown([{ type: "p", children: leaves }])
}

/** The parts of the flow that judging a reply to this block reads. */
export function replyParts(run: Run, block: Block): object[] {
  return [block, systemMessagesOf(run)]
}

/** How inputs ask, and what most of them make of a reply. */
import { interpolateText } from "../../richText/interpolateText.ts"
import type { Message } from "../../schema/message.ts"
import { interpolate, interpolateStructure } from "../../variables/interpolate.ts"
import type { BlockContext } from "../block.ts"

/** What to ask with; both parts are absent for a block without options. */
export function prefilledAsk<O extends { variableId?: string | undefined }>(
  options: O | undefined,
  context: BlockContext,
): { options?: O; prefilledValue?: string } {
  if (!options) return {}
  const prefilledValue = presentText(options.variableId, context)
  const filled = interpolateStructure(options, context)
  return prefilledValue ? { options: filled, prefilledValue } : { options: filled }
}

/** A list is not prefilled. The value may hold tokens itself, which are replaced once. */
function presentText(variableId: string | undefined, context: BlockContext): string | undefined {
  const value = variableId === undefined ? undefined : context.variables.value(variableId)
  return typeof value === "string" ? interpolate(value, context) : undefined
}

/** The typed words of a reply; undefined when there is no message or it is not a text. */
export function typedText(message: Message | undefined): string | undefined {
  return message?.type === "text" ? message.text : undefined
}

/** The author's own words for a reply that is not valid; undefined when nothing is left of them. */
export function ownRetryText(
  options: { retryMessageContent?: string | undefined } | undefined,
  context: BlockContext,
): string | undefined {
  return interpolateText(options?.retryMessageContent, context) || undefined
}

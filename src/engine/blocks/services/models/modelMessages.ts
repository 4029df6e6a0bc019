/** Turns an author's messages into those for a model. */

import { pickList, readJson } from "../../../../lib/foreignJson.ts"
import { spend } from "../../../budget/fuel.ts"
import type { ModelMessage, ModelPart } from "../../../calls.ts"
import type { VariableValue } from "../../../schema/variable.ts"
import type { Scope } from "../../../variables/interpolate.ts"
import type { MessageOption } from "./schemas.ts"

/** The cost of making a message from an element of a list. */
export const messageUnits = 10

/**
 * Expands dialogues of messages with filled variables. Drops blank messages: Anthropic refuses a conversation
 * with one.
 */
export function messagesOf(
  options: readonly MessageOption[] | undefined,
  { variables, fuel }: Scope,
): ModelMessage[] {
  return (options ?? []).flatMap(({ role, content, dialogueVariableId, startsBy }) => {
    if (role === "Dialogue") {
      const said = variables.value(dialogueVariableId)
      if (Array.isArray(said)) spend(fuel, messageUnits * said.length)
      return dialogueOf(said, startsBy)
    }
    return role && content?.trim() ? [{ role, content }] : []
  })
}

/** The elements of a list as alternating messages; an empty element takes a turn without a message. */
function dialogueOf(said: VariableValue | undefined, startsBy: "user" | "assistant" = "user") {
  const entries = Array.isArray(said) ? said : [said]
  return entries.flatMap((content, index): ModelMessage[] => {
    if (!content?.trim()) return []
    const isFirst = index % 2 === 0
    return [{ role: isFirst === (startsBy === "user") ? "user" : "assistant", content }]
  })
}

/** The messages with addresses in user messages as parts, for models that accept pictures. */
export function withPictures(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "user" || typeof message.content !== "string") return message
    const parts = partsOf(message.content)
    return parts.some((part) => "url" in part) ? { ...message, content: parts } : message
  })
}

function partsOf(text: string): ModelPart[] {
  const parts: ModelPart[] = []
  for (const piece of text.split(/\n{2,}/)) {
    const urls = addressesIn(piece.trim())
    const last = parts.at(-1)
    if (urls.length > 0) parts.push(...urls.map((url) => ({ url })))
    else if (last && "text" in last) last.text += `\n\n${piece}`
    else if (piece.trim()) parts.push({ text: piece })
  }
  return parts
}

function addressesIn(piece: string): string[] {
  if (piece.startsWith('["http')) {
    return pickList({ list: readJson(piece) }, "list").filter(
      (url): url is string => typeof url === "string" && isAddress(url),
    )
  }
  return isAddress(piece) ? [piece] : []
}

const isAddress = (text: string) => /^https?:\/\/\S+$/.test(text)

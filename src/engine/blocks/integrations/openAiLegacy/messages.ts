/** Spells out the messages of an older OpenAI block, including its sequences of two lists. */

import { spend } from "../../../budget/fuel.ts"
import { type Assignment, assignTo, type ModelMessage } from "../../../calls.ts"
import { asList } from "../../../variables/variables.ts"
import type { BlockContext } from "../../block.ts"
import { messagesOf, messageUnits } from "../../services/models/messages.ts"
import type { LegacyMessage } from "./schema.ts"

/** The messages; their variables are already filled in. */
export function spellOut(
  messages: readonly LegacyMessage[] | undefined,
  context: BlockContext,
): ModelMessage[] {
  return (messages ?? []).flatMap((message): ModelMessage[] => {
    const { role, content, name } = message
    if (typeof content === "object") return sequenceOf(content, context)
    if (role !== "system" && role !== "user" && role !== "assistant") {
      return messagesOf(role === "Dialogue" ? [{ ...message, role, content }] : [], context)
    }
    return content ? [{ role, content, ...(name ? { name } : {}) }] : []
  })
}

/** Turns the variables of sequences into lists where they are not lists yet. */
export function listsOf(
  messages: readonly LegacyMessage[] | undefined,
  { variables }: BlockContext,
): Assignment[] {
  return (messages ?? []).flatMap(({ content }): Assignment[] => {
    if (typeof content !== "object") return []
    const ids = [content.assistantMessagesVariableId, content.userMessagesVariableId]
    return ids.flatMap((variableId) => {
      const value = variables.value(variableId)
      return Array.isArray(value) ? [] : assignTo(variableId, asList(value))
    })
  })
}

type Sequence = Exclude<LegacyMessage["content"], string | undefined>

function sequenceOf(content: Sequence, { variables, fuel }: BlockContext): ModelMessage[] {
  const assistant = asList(variables.value(content.assistantMessagesVariableId))
  const user = asList(variables.value(content.userMessagesVariableId))
  const turns = Math.max(assistant.length, user.length)
  spend(fuel, 2 * messageUnits * turns)
  const startsWithUser = user.length > assistant.length
  return Array.from({ length: turns }, (_, index): ModelMessage[] => {
    const pair: ModelMessage[] = [
      { role: "assistant", content: assistant[index] ?? "" },
      { role: "user", content: user[index] ?? "" },
    ]
    return startsWithUser ? pair.reverse() : pair
  })
    .flat()
    .filter(({ content: said }) => said !== "")
}

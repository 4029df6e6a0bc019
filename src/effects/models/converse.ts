/** Converses with a model until it has answered, running its tools in between. */
import { type Failure, isFailure, type ModelAnswer } from "../../engine/calls.ts"
import type { OpenCredential } from "../credentials/credentials.ts"
import { failed, networkFailure } from "../failures.ts"
import {
  addUsage,
  type Dialogue,
  type PreparedAsk,
  ProviderError,
  type Reply,
  readArguments,
  type ToolCall,
  type ToolResult,
} from "./dialogue.ts"
import type { OfferedTools } from "./offeredTools.ts"

type Conversation = {
  ask: PreparedAsk
  dialogue: Dialogue
  credential: OpenCredential
  tools: OfferedTools["tools"]
  /** Receives the tokens of each answer of the provider, also of one that cannot be used. */
  spend(usage: Reply["usage"]): void
  signal: AbortSignal
}

/** Yields the texts of streamed answers, and returns the last answer or a failure. */
export async function* converse(
  conversation: Conversation,
): AsyncGenerator<string, ModelAnswer | Failure> {
  const { ask, dialogue } = conversation
  const answer: ModelAnswer = { text: "" }
  for (let step = 0; step < ask.maxSteps; step++) {
    const reply = yield* askOnce(conversation)
    if (isFailure(reply)) return reply
    conversation.spend(reply.usage)
    const usage = addUsage(answer.usage, reply.usage)
    Object.assign(answer, { text: reply.text }, usage && { usage })
    if (reply.toolCalls.length === 0) {
      // Of this reply only: nothing can go on with one whose calls were never answered.
      if (reply.conversationId !== undefined) answer.conversationId = reply.conversationId
      break
    }
    dialogue.add(reply, await runTools(conversation, reply.toolCalls, answer))
  }
  return answer
}

async function* askOnce({
  dialogue,
  signal,
  credential,
  spend,
}: Conversation): AsyncGenerator<string, Reply | Failure> {
  try {
    return yield* dialogue.ask(signal)
  } catch (error) {
    if (error instanceof ProviderError) {
      spend(error.usage)
      return refused(error, credential)
    }
    return networkFailure(error, "The provider of the model")
  }
}

function refused({ message: words, status }: ProviderError, credential: OpenCredential): Failure {
  const about = status === undefined ? "" : ` with status ${status}`
  const details = credential.redact(words).slice(0, 1_000) || undefined
  const reason = status === 401 || status === 403 ? "credentials" : undefined
  return failed(`The provider of the model refused${about}`, { details, status, reason })
}

async function runTools(
  { tools }: Conversation,
  calls: readonly ToolCall[],
  answer: ModelAnswer,
): Promise<ToolResult[]> {
  const results: ToolResult[] = []
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name)
    const args = readArguments(call)
    if (!tool) results.push({ call, text: "There is no function of this name" })
    else if (!args) results.push({ call, text: "The arguments are no JSON object" })
    else {
      const { text, assigned } = await tool.run(args)
      if (assigned) answer.assigned = { ...answer.assigned, ...assigned }
      results.push({ call, text })
    }
  }
  return results
}

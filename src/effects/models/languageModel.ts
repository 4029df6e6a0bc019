/** Opens dialogues with models of the AI SDK (provider specification 3). */
import {
  AISDKError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  TypeValidationError,
} from "@ai-sdk/provider"
import { anySignal } from "../../lib/anySignal.ts"
import { pickText } from "../../lib/foreignJson.ts"
import { defined } from "../../lib/presentMembers.ts"
import { libraryFetch } from "../network/guardedFetch.ts"
import {
  type Dialogue,
  type DialogueOptions,
  type PreparedAsk,
  ProviderError,
  type Reply,
} from "./dialogue.ts"
import { type Answer, createAnswer } from "./modelAnswer.ts"
import { messageOf, replyMessage, resultsMessage } from "./prompt.ts"
import { type ConnectionRules, createProviderConnection } from "./providerConnection.ts"

/** Possible refusals: a temperature, thinking in a question with functions, or a forgotten conversation. */
type Refused = "temperature" | "thinking" | "conversation"

/** The parts in which protocols differ. */
type ProviderAdapter = ConnectionRules & {
  /** Makes a model that uses this `fetch`. */
  model(fetch: typeof globalThis.fetch): LanguageModelV3
  /** All options except the messages; `conversationId` is the conversation to continue. */
  options(
    conversationId: string | undefined,
    refused: ReadonlySet<Refused>,
  ): Omit<LanguageModelV3CallOptions, "prompt">
  /** Whether the provider keeps the conversation, and so only gets new messages. */
  keepsConversation?: boolean
  /** Whether the model needs its reasoning back after function calls. */
  returnsReasoning?: boolean
}

export function createDialogue(
  { messages, conversationId: known }: PreparedAsk,
  dialogue: DialogueOptions,
  adapter: ProviderAdapter,
): Dialogue {
  let prompt = messages.map(messageOf)
  let conversationId = known
  let answer = createAnswer()
  const refused = new Set<Refused>()
  async function* ask(signal: AbortSignal): AsyncGenerator<string, Reply> {
    const connection = createProviderConnection(dialogue, adapter)
    const ended = new AbortController()
    const model = adapter.model(libraryFetch(connection.fetch, anySignal([signal, ended.signal])))
    const { temperature, ...others } = adapter.options(conversationId, refused)
    const asked = refused.has("temperature") ? {} : defined({ temperature })
    const options = { ...others, ...asked, prompt }
    answer = createAnswer()
    try {
      if (dialogue.isStreamed) yield* streamAnswer(model, options, answer)
      else await readAnswer(model, options, answer)
    } catch (error) {
      const failure = connection.failure() ?? answerError(error)
      if (failure instanceof ProviderError) failure.usage = answer.reply.usage
      throw failure
    } finally {
      // Libraries leave an answer open if they do not read it to the end.
      ended.abort()
    }
    const { conversationId: id, ...reply } = answer.reply
    return adapter.keepsConversation && id ? { ...reply, conversationId: id } : reply
  }
  return {
    async *ask(signal) {
      for (;;) {
        try {
          return yield* ask(signal)
        } catch (error) {
          const what = refusedBy(error)
          if (!what || refused.has(what)) throw error
          refused.add(what)
          if (what !== "conversation") continue
          // Results of functions cannot begin a conversation.
          if (conversationId !== known) throw error
          conversationId = undefined
        }
      }
    },
    add(reply, results) {
      const reasoning = adapter.returnsReasoning ? answer.reasoning.values() : []
      prompt = [...prompt, replyMessage(reply, reasoning), resultsMessage(results)]
      if (!adapter.keepsConversation) return
      conversationId = reply.conversationId
      prompt = prompt.slice(-1)
    },
  }
}

async function* streamAnswer(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  answer: Answer,
): AsyncGenerator<string, void> {
  const { stream } = await model.doStream(options)
  for await (const part of stream) {
    const text = answer.take(part)
    if (text !== "") yield text
    // Later parts do not belong to the answer.
    if (part.type !== "finish") continue
    const { unified, raw } = part.finishReason
    if (unified !== "other" || raw !== undefined) return
    break
  }
  const { text, toolCalls } = answer.reply
  // It ended without a reason: a text may be whole, but an empty one is no answer.
  if (text === "" && toolCalls.length === 0) throw new ProviderError("The answer broke off")
}

async function readAnswer(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  answer: Answer,
): Promise<void> {
  const { content, usage, finishReason, response } = await model.doGenerate(options)
  for (const part of content) answer.take(part)
  answer.take({ type: "response-metadata", ...response })
  answer.take({ type: "finish", usage, finishReason })
}

/** The refused feature, mostly by models that reason; a list of their names would not last. */
function refusedBy(error: unknown): Refused | undefined {
  if (!(error instanceof ProviderError) || error.status !== 400) return undefined
  const { message } = error
  if (/temperature/i.test(message) && /support|deprecated/i.test(message)) return "temperature"
  if (/previous response .*not found/i.test(message)) return "conversation"
  return /tools/i.test(message) && /reasoning_effort to 'none'/.test(message)
    ? "thinking"
    : undefined
}

/** Converts an error of the library. */
function answerError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const isBadForm = (each: unknown) => TypeValidationError.isInstance(each)
  if (isBadForm(error) || (error instanceof Error && isBadForm(error.cause))) {
    // The message of the library repeats the whole answer.
    return new ProviderError("The answer does not have the form of this API")
  }
  // Errors from elsewhere than the library may contain parts of the request.
  const isForeign = error instanceof Error && !AISDKError.isInstance(error)
  const words = isForeign ? undefined : pickText(error, "message")
  return new ProviderError(words ?? "The answer broke off", { cause: error })
}

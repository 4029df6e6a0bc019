/** Holds a conversation through a model of the AI SDK (provider specification 3). */
import {
  AISDKError,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  TypeValidationError,
} from "@ai-sdk/provider"
import { pickText } from "../../engine/foreignJson.ts"
import { libraryFetch } from "../network/guardedFetch.ts"
import { type Answer, openAnswer } from "./answer.ts"
import { messageOf, replyMessage, resultsMessage } from "./prompt.ts"
import {
  type Dialogue,
  type Opening,
  type PreparedAsk,
  ProviderError,
  type TextEvent,
} from "./protocol.ts"
import { openWire, type WireRules } from "./wire.ts"

/** How a protocol is spoken. */
export type Speaker = WireRules & {
  /** A model that makes its requests with this. */
  model(fetch: typeof globalThis.fetch): LanguageModelV3
  /** What is said besides messages; `conversationId` is what the question goes on with. */
  options(conversationId: string | undefined): Omit<LanguageModelV3CallOptions, "prompt">
  /** True: the provider keeps the conversation, and is told only what is new. */
  keepsConversation?: boolean
  /** True: the model wants to be reminded of what it thought before it called functions. */
  repeatsThoughts?: boolean
}

/** Opens a dialogue. */
export function openDialogue(ask: PreparedAsk, opening: Opening, speaker: Speaker): Dialogue {
  let prompt = ask.messages.map(messageOf)
  let { conversationId } = ask
  let answer = openAnswer()
  return {
    async *ask(signal) {
      const wire = openWire(opening, speaker)
      const over = new AbortController()
      const model = speaker.model(libraryFetch(wire.fetch, AbortSignal.any([signal, over.signal])))
      const options = { ...speaker.options(conversationId), prompt }
      answer = openAnswer()
      try {
        if (opening.isStreamed) yield* listen(model, options, answer)
        else await generate(model, options, answer)
      } catch (error) {
        throw wire.failure() ?? complaint(error)
      } finally {
        // Libraries leave answers open of which they have had enough.
        over.abort()
      }
      const { conversationId: id, ...reply } = answer.reply
      return speaker.keepsConversation && id ? { ...reply, conversationId: id } : reply
    },
    add(reply, results) {
      const thoughts = speaker.repeatsThoughts ? answer.thoughts.values() : []
      prompt = [...prompt, replyMessage(reply, thoughts), resultsMessage(results)]
      if (!speaker.keepsConversation) return
      conversationId = reply.conversationId
      prompt = prompt.slice(-1)
    },
  }
}

async function* listen(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  answer: Answer,
): AsyncGenerator<TextEvent, void> {
  const { stream } = await model.doStream(options)
  for await (const part of stream) {
    const text = answer.take(part)
    if (text !== "") yield { type: "text", text }
    // What comes after the end is none of the answer.
    if (part.type === "finish") return
  }
}

async function generate(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  answer: Answer,
): Promise<void> {
  const { content, usage, finishReason, response } = await model.doGenerate(options)
  for (const part of content) answer.take(part)
  answer.take({ type: "response-metadata", ...response })
  answer.take({ type: "finish", usage, finishReason })
}

/** What the library has to say of an answer that did come. */
function complaint(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const isBadForm = (each: unknown) => TypeValidationError.isInstance(each)
  if (isBadForm(error) || (error instanceof Error && isBadForm(error.cause))) {
    // Its own words repeat the whole answer.
    return new ProviderError("The answer does not have the form of this API")
  }
  // What is not the library's own stumbled over the answer, and may tell of the request.
  const isOdd = error instanceof Error && !AISDKError.isInstance(error)
  const words = isOdd ? undefined : pickText(error, "message")
  return new ProviderError(words ?? "The answer broke off", { cause: error })
}

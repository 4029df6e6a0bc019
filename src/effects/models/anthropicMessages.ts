/** Speaks the protocol of Anthropic Messages (API version 2023-06-01). */
import { createAnthropic } from "@ai-sdk/anthropic"
import { pick } from "../../lib/foreignJson.ts"
import { type Dialogue, type DialogueOptions, type PreparedAsk, ProviderError } from "./dialogue.ts"
import { createDialogue } from "./languageModel.ts"
import { settingsOf } from "./prompt.ts"

const knownEvents = new Set([
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "error",
])

/** Real answers report their usage once or twice. */
const maxCounts = 32

/** Creates a dialogue. The library knows the limits of each model. */
export function createAnthropicMessages(ask: PreparedAsk, opening: DialogueOptions): Dialogue {
  const { apiKey, baseUrl, model = "" } = ask
  return createDialogue(ask, opening, {
    knownEvents,
    watch: watchCounts,
    returnsReasoning: true,
    model: (fetch) => createAnthropic({ baseURL: baseUrl, apiKey, fetch }).messages(model),
    options: () => ({
      ...settingsOf(ask),
      // All models and gateways support a forced function call, even old ones.
      providerOptions: { anthropic: { structuredOutputMode: "jsonTool", toolStreaming: false } },
    }),
  })
}

/** Limits reports of usage: the library collects them, and copies them all for each event. */
function watchCounts(): (event: unknown) => void {
  let counts = 0
  return (event) => {
    if (pick(event, "usage") !== undefined) counts++
    if (counts > maxCounts) throw new ProviderError("The answer has too many parts")
  }
}

/** Speaks Anthropic messages (API version 2023-06-01). */
import { createAnthropic } from "@ai-sdk/anthropic"
import { pick } from "../../engine/foreignJson.ts"
import { openDialogue } from "./languageModel.ts"
import { settingsOf } from "./prompt.ts"
import { type Dialogue, type Opening, type PreparedAsk, ProviderError } from "./protocol.ts"

/** An answer counts its tokens once or twice. */
const maxCounts = 32

/** Opens a dialogue; the library knows what each model writes at most, and what it refuses. */
export function openAnthropicMessages(ask: PreparedAsk, opening: Opening): Dialogue {
  const { apiKey, baseUrl, model = "" } = ask
  return openDialogue(ask, opening, {
    watch: watchCounts,
    repeatsThoughts: true,
    model: (fetch) => createAnthropic({ baseURL: baseUrl, apiKey, fetch }).messages(model),
    options: () => ({
      ...settingsOf(ask),
      // A function that has to be called is understood by models and gateways of every age.
      providerOptions: { anthropic: { structuredOutputMode: "jsonTool", toolStreaming: false } },
    }),
  })
}

/** The library keeps what each event counts, and copies all of it for the next. */
function watchCounts(): (event: unknown) => void {
  let counts = 0
  return (event) => {
    if (pick(event, "usage") !== undefined) counts++
    if (counts > maxCounts) throw new ProviderError("The answer has too many parts")
  }
}

/** Speaks the protocol of OpenAI chat completions, which most providers support. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { pick, pickList } from "../../lib/foreignJson.ts"
import type { Dialogue, DialogueOptions, PreparedAsk } from "./dialogue.ts"
import { createDialogue } from "./languageModel.ts"
import { settingsOf } from "./prompt.ts"

// The library searches all calls of an event for each of them.
const maxValues = 2_000

export function createChatCompletions(ask: PreparedAsk, opening: DialogueOptions): Dialogue {
  const { apiKey, apiVersion, baseUrl, model = "" } = ask
  const host = new URL(baseUrl).hostname
  return createDialogue(ask, opening, {
    maxValues,
    repair: repairArguments,
    // Others refuse it, or ignore it; DeepSeek thinks by default, and then refuses calls without it.
    returnsReasoning: host.endsWith("deepseek.com"),
    model: (fetch) =>
      createOpenAICompatible({
        name: "chat",
        baseURL: baseUrl,
        apiKey,
        // Azure expects the key in a header of its own.
        ...(apiVersion
          ? { queryParams: { "api-version": apiVersion }, headers: { "api-key": apiKey } }
          : {}),
        supportsStructuredOutputs: true,
        // Mistral always counts tokens, and refuses unknown members.
        includeUsage: !host.endsWith("mistral.ai"),
        ...(host.endsWith("openai.com") ? { transformRequestBody: renameLimit } : {}),
        fetch,
      }).chatModel(model),
    options: (_, refused) => ({
      ...settingsOf(ask),
      ...(refused.has("thinking")
        ? { providerOptions: { openaiCompatible: { reasoningEffort: "none" } } }
        : {}),
    }),
  })
}

/** OpenAI's newer models refuse `max_tokens`; other providers only support that. */
function renameLimit({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens }
}

/** Repairs the arguments of calls: some providers send an object, or omit empty arguments. */
function repairArguments(answer: unknown): void {
  for (const call of pickList(answer, "choices", 0, "message", "tool_calls")) {
    const called = pick(call, "function")
    const args = pick(called, "arguments") ?? {}
    if (typeof called === "object" && called !== null && typeof args !== "string") {
      Object.assign(called, { arguments: JSON.stringify(args) })
    }
  }
}

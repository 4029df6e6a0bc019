/** Speaks OpenAI responses; the conversation is kept at the provider. */
import { createOpenAI } from "@ai-sdk/openai"
import type { LanguageModelV3ProviderTool } from "@ai-sdk/provider"
import { openDialogue } from "./languageModel.ts"
import { settingsOf } from "./prompt.ts"
import { type Dialogue, type Opening, type PreparedAsk, textOf } from "./protocol.ts"

/** Opens a dialogue. */
export function openResponses(ask: PreparedAsk, opening: Opening): Dialogue {
  const { apiKey, baseUrl, model = "" } = ask
  const isSystem = ({ role }: PreparedAsk["messages"][number]) => role === "system"
  const instructions = ask.messages.filter(isSystem).map(({ content }) => textOf(content))
  const messages = ask.messages.filter((message) => !isSystem(message))
  const { tools, ...settings } = settingsOf(ask)
  return openDialogue({ ...ask, messages }, opening, {
    keepsConversation: true,
    model: (fetch) => createOpenAI({ baseURL: baseUrl, apiKey, fetch }).responses(model),
    options: (conversationId) => ({
      ...settings,
      tools: [...tools.map((tool) => ({ ...tool, strict: false })), ...hostedTools(ask)],
      providerOptions: {
        openai: {
          // Not carried over from the response that is continued.
          ...(instructions.length > 0 ? { instructions: instructions.join("\n\n") } : {}),
          ...(conversationId ? { previousResponseId: conversationId } : {}),
          // The library would leave the temperature out for models that take it at some efforts.
          forceReasoning: false,
        },
      },
    }),
  })
}

function hostedTools({ hosted }: PreparedAsk): LanguageModelV3ProviderTool[] {
  const { fileSearch, webSearch, codeInterpreter } = hosted ?? {}
  const tool = (name: string, args: Record<string, unknown> = {}) =>
    ({ type: "provider", id: `openai.${name}`, name, args }) as const
  const { vectorStoreIds, maxResults, scoreThreshold } = fileSearch ?? {}
  const ranking = scoreThreshold === undefined ? undefined : { scoreThreshold }
  return [
    ...(fileSearch
      ? [tool("file_search", { vectorStoreIds, maxNumResults: maxResults, ranking })]
      : []),
    ...(webSearch ? [tool("web_search")] : []),
    ...(codeInterpreter ? [tool("code_interpreter")] : []),
  ]
}

/** Speaks the protocol of OpenAI Responses, whose provider keeps the conversation. */
import { createOpenAI } from "@ai-sdk/openai"
import type { LanguageModelV3ProviderTool } from "@ai-sdk/provider"
import { type Dialogue, type DialogueOptions, type PreparedAsk, textOf } from "./dialogue.ts"
import { createDialogue } from "./languageModel.ts"
import { settingsOf } from "./prompt.ts"

export function createResponses(ask: PreparedAsk, opening: DialogueOptions): Dialogue {
  const { apiKey, baseUrl, model = "" } = ask
  const isSystem = ({ role }: PreparedAsk["messages"][number]) => role === "system"
  const instructions = ask.messages.filter(isSystem).map(({ content }) => textOf(content))
  const messages = ask.messages.filter((message) => !isSystem(message))
  const { tools, ...settings } = settingsOf(ask)
  return createDialogue({ ...ask, messages }, opening, {
    keepsConversation: true,
    model: (fetch) => createOpenAI({ baseURL: baseUrl, apiKey, fetch }).responses(model),
    options: (conversationId) => ({
      ...settings,
      tools: [...tools.map((tool) => ({ ...tool, strict: false })), ...hostedTools(ask)],
      providerOptions: {
        openai: {
          // They are not inherited from the previous response.
          ...(instructions.length > 0 ? { instructions: instructions.join("\n\n") } : {}),
          ...(conversationId ? { previousResponseId: conversationId } : {}),
          // Otherwise the library would omit the temperature even for models that accept it at some efforts.
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

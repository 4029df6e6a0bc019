/** OpenAI: chats, questions, assistants, generated variables, speech and transcriptions. */
import { completion, type Provider } from "../models/completion.ts"
import { extraction } from "../models/extraction.ts"
import { openAiBaseUrl, openAiKeyAddress, seesPictures } from "../models/openAiApi.ts"
import { serviceBlock } from "../serviceBlock.ts"
import { askAssistant } from "./askAssistant.ts"
import { askModel } from "./askModel.ts"
import { speech, transcription } from "./audio.ts"
import { actions, openaiBlockSchema } from "./schema.ts"

const provider: Provider = {
  name: "OpenAI",
  takesSchema: true,
  protocol: "chatCompletions",
  baseUrl: openAiBaseUrl,
  sees: seesPictures,
}

export const openaiBlock = serviceBlock(openaiBlockSchema, {
  catalogue: {
    label: "OpenAI",
    description: "Has models of OpenAI answer, fill variables, speak or transcribe",
    category: "ai",
    icon: "sparkles",
  },
  actions: {
    [actions.complete]: completion(provider),
    [actions.extract]: extraction(provider),
    [actions.askModel]: askModel,
    [actions.askAssistant]: askAssistant,
    [actions.speak]: speech,
    [actions.transcribe]: transcription,
  },
  provider,
  sendsKeyTo: openAiKeyAddress,
})

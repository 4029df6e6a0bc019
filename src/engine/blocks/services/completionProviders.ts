/** Providers that speak OpenAI's protocol, and whose blocks complete chats and do nothing else. */
import { z } from "zod"
import { blockShape } from "../blockShape.ts"
import { completionBlock } from "./completionBlock.ts"
import { completionOptionsSchema } from "./completionSchema.ts"

/** Their block types, by the name under which blocks are stored. */
export const completionProviders = {
  groq: atProvider("groq", "Groq", "GroqBlock", "https://api.groq.com/openai/v1"),
  deepseek: atProvider("deepseek", "DeepSeek", "DeepseekBlock", "https://api.deepseek.com/v1"),
  "open-router": atProvider(
    "open-router",
    "OpenRouter",
    "OpenRouterBlock",
    "https://openrouter.ai/api/v1",
  ),
  "together-ai": atProvider(
    "together-ai",
    "Together AI",
    "TogetherAiBlock",
    "https://api.together.xyz/v1",
  ),
  perplexity: atProvider(
    "perplexity",
    "Perplexity",
    "PerplexityBlock",
    "https://api.perplexity.ai",
  ),
}

function atProvider<const T extends string>(type: T, name: string, id: string, baseUrl: string) {
  const schema = z
    .object({
      ...blockShape,
      type: z.literal(type).describe(name),
      options: completionOptionsSchema.optional(),
    })
    .meta({ id, description: `Asks a model at ${name}` })
  return completionBlock<z.infer<typeof schema>>(schema, {
    name,
    protocol: "chatCompletions",
    baseUrl,
  })
}

/** Providers whose blocks complete chats, perhaps generate variables, and do nothing else. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { serviceBlock } from "../service.ts"
import { actionOption } from "../serviceSchema.ts"
import { completion, type Provider } from "./completion.ts"
import { extraction } from "./extraction.ts"
import { completionShape, extractionShape } from "./schemas.ts"

const complete = "Create chat completion"
const generate = "Generate variables"

const completionOptionsSchema = z
  .object({ action: actionOption([complete]), ...completionShape })
  .meta({ id: "ChatCompletionOptions", description: "A conversation for a model to go on with" })

/** A provider that speaks OpenAI's protocol; `id` names the block in the published document. */
function completionBlock<const T extends string>(
  type: T,
  id: string,
  { name, baseUrl }: Pick<Provider, "name" | "baseUrl">,
) {
  const schema = blockSchemaOf(type, name, { options: completionOptionsSchema.optional() }).meta({
    id,
    description: `Asks a model at ${name}`,
  })
  return serviceBlock<z.infer<typeof schema>>(schema, {
    [complete]: completion({ name, protocol: "chatCompletions", baseUrl }),
  })
}

const mistral: Provider = {
  name: "Mistral",
  protocol: "chatCompletions",
  baseUrl: "https://api.mistral.ai/v1",
}

const mistralBlockSchema = blockSchemaOf("mistral", "Mistral", {
  options: z
    .object({ action: actionOption([complete, generate]), ...completionShape, ...extractionShape })
    .meta({ id: "MistralOptions", description: "What to ask a model at Mistral" })
    .optional(),
}).meta({ id: "MistralBlock", description: "Asks a model at Mistral" })

const anthropic: Provider = {
  name: "Anthropic",
  protocol: "anthropicMessages",
  baseUrl: "https://api.anthropic.com/v1",
  sees: (model) => model.startsWith("claude-"),
}

/** What others call a chat completion. */
const createMessage = "Create Chat Message"

const anthropicBlockSchema = blockSchemaOf("anthropic", "Anthropic", {
  options: z
    .object({
      action: actionOption([createMessage, generate]),
      ...completionShape,
      ...extractionShape,
      systemMessage: optional.template("What the model is told first"),
      maxTokens: optional.numberOrVariable("Longest answer in tokens"),
    })
    .meta({ id: "AnthropicOptions", description: "What to ask a model of Anthropic" })
    .optional(),
}).meta({ id: "AnthropicBlock", description: "Asks a model of Anthropic" })

/** Block types by the name under which blocks are stored. */
export const providerBlocks = {
  anthropic: serviceBlock<z.infer<typeof anthropicBlockSchema>>(anthropicBlockSchema, {
    [createMessage]: completion(anthropic),
    [generate]: extraction(anthropic),
  }),
  mistral: serviceBlock<z.infer<typeof mistralBlockSchema>>(mistralBlockSchema, {
    [complete]: completion(mistral),
    [generate]: extraction(mistral),
  }),
  groq: completionBlock("groq", "GroqBlock", {
    name: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
  }),
  deepseek: completionBlock("deepseek", "DeepseekBlock", {
    name: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
  }),
  "open-router": completionBlock("open-router", "OpenRouterBlock", {
    name: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
  }),
  "together-ai": completionBlock("together-ai", "TogetherAiBlock", {
    name: "Together AI",
    baseUrl: "https://api.together.xyz/v1",
  }),
  perplexity: completionBlock("perplexity", "PerplexityBlock", {
    name: "Perplexity",
    baseUrl: "https://api.perplexity.ai",
  }),
}

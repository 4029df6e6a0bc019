/** Providers whose blocks only complete chats and perhaps generate variables. */
import { namedObject, optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { actionOption, serviceBlock } from "../serviceBlock.ts"
import { completion, type Provider } from "./completion.ts"
import { extraction } from "./extraction.ts"
import { completionShape, extractionShape } from "./schemas.ts"

const complete = "Create chat completion"
const generate = "Generate variables"

const completionOptionsSchema = namedObject(
  "ChatCompletionOptions",
  "A conversation for a model to continue",
  { action: actionOption([complete]), ...completionShape },
)

const catalogueOf = (label: string, description: string) =>
  ({ label, description, category: "ai", icon: "bot-message-square" }) as const

/** A provider that speaks OpenAI's protocol, by its name and the root of its API. */
function completionBlock<const T extends string>(type: T, name: string, baseUrl: string) {
  const id = `${type.replace(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase())}Block`
  const schema = blockSchemaOf(type, { options: completionOptionsSchema.optional() }).meta({ id })
  const provider: Provider = { name, protocol: "chatCompletions", baseUrl }
  return serviceBlock(schema, {
    catalogue: catalogueOf(name, `Has a model at ${name} answer`),
    actions: { [complete]: completion(provider) },
    provider,
  })
}

const mistral: Provider = {
  name: "Mistral",
  takesSchema: true,
  protocol: "chatCompletions",
  baseUrl: "https://api.mistral.ai/v1",
}

const mistralBlockSchema = blockSchemaOf("mistral", {
  options: namedObject("MistralOptions", "Options of a request to Mistral", {
    action: actionOption([complete, generate]),
    ...completionShape,
    ...extractionShape,
  }).optional(),
}).meta({ id: "MistralBlock" })

const anthropic: Provider = {
  name: "Anthropic",
  takesSchema: true,
  protocol: "anthropicMessages",
  baseUrl: "https://api.anthropic.com/v1",
  sees: (model) => model.startsWith("claude-"),
}

/** Anthropic's name for a chat completion. */
const createMessage = "Create Chat Message"

const anthropicBlockSchema = blockSchemaOf("anthropic", {
  options: namedObject("AnthropicOptions", "Options of a request to Anthropic", {
    action: actionOption([createMessage, generate]),
    ...completionShape,
    ...extractionShape,
    systemMessage: optional.template("System message"),
    maxTokens: optional.numberOrVariable("Max tokens of the answer"),
  }).optional(),
}).meta({ id: "AnthropicBlock" })

/** Block types by the name under which blocks are stored. */
export const providerBlocks = {
  anthropic: serviceBlock(anthropicBlockSchema, {
    catalogue: catalogueOf(anthropic.name, "Has a model of Anthropic answer or fill variables"),
    actions: {
      [createMessage]: completion(anthropic),
      [generate]: extraction(anthropic),
    },
    provider: anthropic,
  }),
  mistral: serviceBlock(mistralBlockSchema, {
    catalogue: catalogueOf(mistral.name, "Has a model at Mistral answer or fill variables"),
    actions: {
      [complete]: completion(mistral),
      [generate]: extraction(mistral),
    },
    provider: mistral,
  }),
  groq: completionBlock("groq", "Groq", "https://api.groq.com/openai/v1"),
  deepseek: completionBlock("deepseek", "DeepSeek", "https://api.deepseek.com/v1"),
  "open-router": completionBlock("open-router", "OpenRouter", "https://openrouter.ai/api/v1"),
  "together-ai": completionBlock("together-ai", "Together AI", "https://api.together.xyz/v1"),
  perplexity: completionBlock("perplexity", "Perplexity", "https://api.perplexity.ai"),
}

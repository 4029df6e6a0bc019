/** What a call of a model used: at which provider, of which model, how many tokens. */
import type { ModelAsk, ModelUse } from "../../engine/calls.ts"
import { defined } from "../../lib/presentMembers.ts"
import type { Reply } from "./dialogue.ts"

/** Providers by domain, named as by the semantic conventions of OpenTelemetry where those have a name. */
const providers = {
  "amazonaws.com": "aws.bedrock",
  "anthropic.com": "anthropic",
  "azure.com": "azure.ai.openai",
  "cohere.ai": "cohere",
  "cohere.com": "cohere",
  "deepseek.com": "deepseek",
  "googleapis.com": "gcp.gemini",
  "groq.com": "groq",
  "mistral.ai": "mistral_ai",
  "openai.com": "openai",
  "openrouter.ai": "openrouter",
  "perplexity.ai": "perplexity",
  "together.xyz": "together_ai",
  "x.ai": "x_ai",
} as const

/** The provider that an address belongs to, `other` for gateways and the authors' own servers. */
export function providerOf({ protocol, baseUrl }: Pick<ModelAsk, "protocol" | "baseUrl">): string {
  if (protocol === "difyChat") return "dify"
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : ""
  const domain = Object.entries(providers).find(([name]) => `.${host}`.endsWith(`.${name}`))
  return domain?.[1] ?? "other"
}

/** Names of models, also of fine-tuned ones and of paths at gateways; nothing that reads as a sentence. */
const modelName = /^[\w.:/-]{1,100}$/

/** More than any call can use: an author's own server may report anything. */
const maxTokens = 100_000_000

/** A count that can be stored and summed. */
function tokens(reported: number | undefined): number | undefined {
  return reported === undefined ? undefined : Math.min(Math.max(Math.round(reported), 0), maxTokens)
}

/** Describes the use. A provider that only reports a total has not said how much of it was the question. */
export function useOf(
  ask: Pick<ModelAsk, "protocol" | "baseUrl" | "model">,
  usage: Reply["usage"],
): ModelUse {
  const { model = "" } = ask
  const { total, prompt, completion } = usage ?? {}
  return {
    provider: providerOf(ask),
    ...defined({
      model: modelName.test(model) ? model : undefined,
      inputTokens: tokens(prompt ?? (total === undefined ? undefined : total - (completion ?? 0))),
      outputTokens: tokens(completion ?? (usage && 0)),
    }),
  }
}

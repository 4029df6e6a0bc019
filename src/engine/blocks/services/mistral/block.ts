/** Chat completions and generated variables at Mistral. */
import { completionBlock } from "../completionBlock.ts"
import { type MistralBlock, mistralBlockSchema } from "./schema.ts"

export const mistralBlock = completionBlock<MistralBlock>(
  mistralBlockSchema,
  { name: "Mistral", protocol: "chatCompletions", baseUrl: "https://api.mistral.ai/v1" },
  { extracts: true },
)

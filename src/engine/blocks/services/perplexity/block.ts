/** Chat completions at Perplexity. */
import { completionBlock } from "../completionBlock.ts"
import { type PerplexityBlock, perplexityBlockSchema } from "./schema.ts"

export const perplexityBlock = completionBlock<PerplexityBlock>(perplexityBlockSchema, {
  name: "Perplexity",
  protocol: "chatCompletions",
  baseUrl: "https://api.perplexity.ai",
})

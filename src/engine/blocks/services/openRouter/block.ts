/** Chat completions at OpenRouter. */
import { completionBlock } from "../completionBlock.ts"
import { type OpenRouterBlock, openRouterBlockSchema } from "./schema.ts"

export const openRouterBlock = completionBlock<OpenRouterBlock>(openRouterBlockSchema, {
  name: "OpenRouter",
  protocol: "chatCompletions",
  baseUrl: "https://openrouter.ai/api/v1",
})

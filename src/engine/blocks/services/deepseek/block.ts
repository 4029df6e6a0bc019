/** Chat completions at DeepSeek. */
import { completionBlock } from "../completionBlock.ts"
import { type DeepseekBlock, deepseekBlockSchema } from "./schema.ts"

export const deepseekBlock = completionBlock<DeepseekBlock>(deepseekBlockSchema, {
  name: "DeepSeek",
  protocol: "chatCompletions",
  baseUrl: "https://api.deepseek.com/v1",
})

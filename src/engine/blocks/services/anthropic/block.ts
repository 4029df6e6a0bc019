/** Chat messages and generated variables by models of Anthropic. */
import { completionBlock } from "../completionBlock.ts"
import { type AnthropicBlock, anthropicBlockSchema } from "./schema.ts"

export const anthropicBlock = completionBlock<AnthropicBlock>(
  anthropicBlockSchema,
  {
    name: "Anthropic",
    protocol: "anthropicMessages",
    baseUrl: "https://api.anthropic.com/v1",
    sees: (model) => model.startsWith("claude-"),
  },
  { completes: "Create Chat Message", extracts: true },
)

/** Chat completions at Together AI. */
import { completionBlock } from "../completionBlock.ts"
import { type TogetherAiBlock, togetherAiBlockSchema } from "./schema.ts"

export const togetherAiBlock = completionBlock<TogetherAiBlock>(togetherAiBlockSchema, {
  name: "Together AI",
  protocol: "chatCompletions",
  baseUrl: "https://api.together.xyz/v1",
})

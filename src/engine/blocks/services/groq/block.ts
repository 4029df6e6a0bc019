/** Chat completions at Groq. */
import { completionBlock } from "../completionBlock.ts"
import { type GroqBlock, groqBlockSchema } from "./schema.ts"

export const groqBlock = completionBlock<GroqBlock>(groqBlockSchema, {
  name: "Groq",
  protocol: "chatCompletions",
  baseUrl: "https://api.groq.com/openai/v1",
})

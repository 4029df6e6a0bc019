/** Stored form of the Anthropic block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { completionShape } from "../completionSchema.ts"
import { extractionShape } from "../extractionSchema.ts"
import { actionOption, numberOrVariable, text } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    action: actionOption(["Create Chat Message", "Generate variables"]),
    ...completionShape,
    ...extractionShape,
    systemMessage: text("What the model is told first"),
    maxTokens: numberOrVariable("Longest answer in tokens"),
  })
  .meta({ id: "AnthropicOptions", description: "What to ask a model of Anthropic" })

export const anthropicBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("anthropic").describe("Anthropic"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "AnthropicBlock", description: "Asks a model of Anthropic" })

export type AnthropicBlock = z.infer<typeof anthropicBlockSchema>

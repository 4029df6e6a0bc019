/** Stored form of the Mistral block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { completionShape } from "../completionSchema.ts"
import { extractionShape } from "../extractionSchema.ts"
import { actionOption } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    action: actionOption(["Create chat completion", "Generate variables"]),
    ...completionShape,
    ...extractionShape,
  })
  .meta({ id: "MistralOptions", description: "What to ask a model at Mistral" })

export const mistralBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("mistral").describe("Mistral"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "MistralBlock", description: "Asks a model at Mistral" })

export type MistralBlock = z.infer<typeof mistralBlockSchema>

/** Stored form of the Perplexity block. */
import { z } from "zod"
import { actionShape } from "../../actionShape.ts"
import { completionOptionsSchema } from "../completionSchema.ts"

export const perplexityBlockSchema = z
  .object({
    ...actionShape,
    type: z.literal("perplexity").describe("Perplexity"),
    options: completionOptionsSchema.optional(),
  })
  .meta({ id: "PerplexityBlock", description: "Asks a model at Perplexity" })

export type PerplexityBlock = z.infer<typeof perplexityBlockSchema>

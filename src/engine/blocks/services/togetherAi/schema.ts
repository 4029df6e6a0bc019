/** Stored form of the Together AI block. */
import { z } from "zod"
import { actionShape } from "../../actionShape.ts"
import { completionOptionsSchema } from "../completionSchema.ts"

export const togetherAiBlockSchema = z
  .object({
    ...actionShape,
    type: z.literal("together-ai").describe("Together AI"),
    options: completionOptionsSchema.optional(),
  })
  .meta({ id: "TogetherAiBlock", description: "Asks a model at Together AI" })

export type TogetherAiBlock = z.infer<typeof togetherAiBlockSchema>

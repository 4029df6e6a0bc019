/** Stored form of the OpenRouter block. */
import { z } from "zod"
import { actionShape } from "../../actionShape.ts"
import { completionOptionsSchema } from "../completionSchema.ts"

export const openRouterBlockSchema = z
  .object({
    ...actionShape,
    type: z.literal("open-router").describe("OpenRouter"),
    options: completionOptionsSchema.optional(),
  })
  .meta({ id: "OpenRouterBlock", description: "Asks a model at OpenRouter" })

export type OpenRouterBlock = z.infer<typeof openRouterBlockSchema>

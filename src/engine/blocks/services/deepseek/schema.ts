/** Stored form of the DeepSeek block. */
import { z } from "zod"
import { actionShape } from "../../actionShape.ts"
import { completionOptionsSchema } from "../completionSchema.ts"

export const deepseekBlockSchema = z
  .object({
    ...actionShape,
    type: z.literal("deepseek").describe("DeepSeek"),
    options: completionOptionsSchema.optional(),
  })
  .meta({ id: "DeepseekBlock", description: "Asks a model at DeepSeek" })

export type DeepseekBlock = z.infer<typeof deepseekBlockSchema>

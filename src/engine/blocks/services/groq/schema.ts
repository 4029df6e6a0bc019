/** Stored form of the Groq block. */
import { z } from "zod"
import { actionShape } from "../../actionShape.ts"
import { completionOptionsSchema } from "../completionSchema.ts"

export const groqBlockSchema = z
  .object({
    ...actionShape,
    type: z.literal("groq").describe("Groq"),
    options: completionOptionsSchema.optional(),
  })
  .meta({ id: "GroqBlock", description: "Asks a model at Groq" })

export type GroqBlock = z.infer<typeof groqBlockSchema>

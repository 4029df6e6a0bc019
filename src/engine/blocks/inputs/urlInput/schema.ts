/** Shape of a URL input. */
import { z } from "zod"
import { answerShape, inputShape, retryShape } from "../inputShape.ts"
import { typedLabelsSchema } from "../labels.ts"

const optionsSchema = z
  .object({ ...answerShape, labels: typedLabelsSchema.optional(), ...retryShape })
  .meta({ id: "UrlInputOptions", description: "How the address is asked for and stored" })

export const urlInputBlockSchema = z
  .object({
    ...inputShape,
    type: z.literal("url input").describe("A URL input"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "UrlInputBlock", description: "Asks for a web address" })

export type UrlInputBlock = z.infer<typeof urlInputBlockSchema>

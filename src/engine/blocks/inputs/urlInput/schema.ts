/** Shape of a URL input. */
import { z } from "zod"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, retryShape, typedLabelsSchema } from "../inputSchema.ts"

const optionsSchema = z
  .object({ ...answerShape, labels: typedLabelsSchema.optional(), ...retryShape })
  .meta({ id: "UrlInputOptions", description: "How the address is asked for and stored" })

export const urlInputBlockSchema = blockSchemaOf("url input", "A URL input", {
  options: optionsSchema.optional(),
}).meta({ id: "UrlInputBlock", description: "Asks for a web address" })

export type UrlInputBlock = z.infer<typeof urlInputBlockSchema>

/** Shape of a URL input. */
import type { z } from "zod"
import { namedObject } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { answerShape, retryShape, typedLabelsSchema } from "../inputSchema.ts"

const optionsSchema = namedObject("UrlInputOptions", "How the address is asked for and stored", {
  ...answerShape,
  labels: typedLabelsSchema.optional(),
  ...retryShape,
})

export const urlInputBlockSchema = blockSchemaOf("url input", "A URL input", {
  options: optionsSchema.optional(),
}).meta({ id: "UrlInputBlock", description: "Asks for a web address" })

export type UrlInputBlock = z.infer<typeof urlInputBlockSchema>

/** Asks for a web address and keeps it as typed. */
import isURL from "validator/lib/isURL.js"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, retryShape, typedInput, typedLabelsSchema } from "../asking.ts"

const urlInputBlockSchema = blockSchemaOf("url input", {
  options: optional.named("UrlInputOptions", "How the address is asked for and stored", {
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    ...retryShape,
  }),
}).meta({ id: "UrlInputBlock" })

export const urlInputBlock = typedInput(urlInputBlockSchema, {
  catalogue: {
    label: "Web address",
    description: "Asks for the address of a web page",
    category: "questions",
    icon: "globe",
  },
  replyName: "url",
  // By the rules of validator 13; the scheme is optional.
  accept: (typed) => (isURL.default(typed, { protocols: ["http", "https"] }) ? typed : undefined),
})

/** Asks for a web address and keeps it as typed. */
import isURL from "validator/lib/isURL.js"
import { optional } from "../../../schema/sharedMembers.ts"
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
  samples: (_, wanted) => ({
    fitting: [
      "https://example.com",
      ...wanted.flatMap((part) => [part, `https://${part}`, `https://example.com/${part}`]),
    ].filter(isAddress),
    refused: ["not an address", "javascript:alert(1)"],
  }),
  // By the rules of validator 13; the scheme is optional.
  accept: (typed) => (isAddress(typed) ? typed : undefined),
})

function isAddress(text: string): boolean {
  return isURL.default(text, { protocols: ["http", "https"] })
}

/** Asks for an email address. */
import { optional } from "../../../schema/sharedMembers.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, retryShape, typedInput, typedLabelsSchema } from "../asking.ts"

const emailInputBlockSchema = blockSchemaOf("email input", {
  options: optional.named("EmailInputOptions", "How the address is asked for and stored", {
    ...answerShape,
    labels: typedLabelsSchema.optional(),
    ...retryShape,
  }),
}).meta({ id: "EmailInputBlock" })

export const emailInputBlock = typedInput(emailInputBlockSchema, {
  catalogue: {
    label: "Email address",
    description: "Asks for an email address and checks how it is written",
    category: "questions",
    icon: "at-sign",
  },
  replyName: "email",
  samples: (_, wanted) => ({
    fitting: ["ann@example.com", ...wanted.flatMap(addressesOf)].filter((text) =>
      emailPattern.test(text),
    ),
    refused: ["not an address", "a@b"],
  }),
  accept: (typed) => (emailPattern.test(typed) ? typed.toLowerCase() : undefined),
  retryText: "invalidEmail",
})

/** Addresses to try that equal, begin or end with a text that the flow compares. */
function addressesOf(part: string): string[] {
  return [part, `ann${part}`, `ann@${part}`, `${part}@example.com`].filter(
    (text) => text.length <= maxAddressLength,
  )
}

const maxAddressLength = 254

const atom = String.raw`[^<>()[\]\\.,;:\s@"]+`
const localPart = String.raw`(?:${atom}(?:\.${atom})*|".+")`
const host = String.raw`(?:(?:[a-z0-9-]+\.)+[a-z]{2,}|\[(?:[0-9]{1,3}\.){3}[0-9]{1,3}\])`

/**
 * The pattern that web forms commonly use. No repeated part can begin with its successor, so matching takes
 * linear time.
 */
const emailPattern = new RegExp(`^${localPart}@${host}$`, "i")

/** The input of a chat answer: the waiting block with its run-time members. */
import { z } from "zod"
import { blockTypes } from "./blocks/registry.ts"
import { optional } from "./schema/sharedMembers.ts"

type InputTypes = Extract<(typeof blockTypes)[keyof typeof blockTypes], { kind: "input" }>

const runtimeOptionsSchema = z
  .looseObject({
    paymentIntentSecret: optional.text("Secret for the client's payment"),
    amountLabel: optional.text("The amount for display"),
    publicKey: optional.text("Publishable key of the payment provider"),
  })
  .meta({ id: "RuntimeOptions", description: "Only sent with payment inputs" })

const runtimeShape = {
  prefilledValue: z
    .string()
    .meta({ id: "PrefilledValue", description: "Current value of the linked variable" })
    .optional(),
  runtimeOptions: runtimeOptionsSchema.optional(),
}

/** An input for a client: interpolated, with its displayed items. */
export type ChatInput = z.infer<InputTypes["schema"]> & z.infer<z.ZodObject<typeof runtimeShape>>

/** `TextInputBlock` with run-time members is `TextInput` in the document. */
function waitingSchema({ schema }: InputTypes): z.ZodObject {
  const block = schema as unknown as z.ZodObject
  const { id = "", description } = block.meta() ?? {}
  const name = id.replace(/(?:Input)?Block$/, "Input")
  return block.extend(runtimeShape).meta({ id: name, description })
}

const [first, ...others] = Object.values(blockTypes).flatMap((type) =>
  type.kind === "input" ? [waitingSchema(type)] : [],
)
if (first === undefined) throw new Error("No block type is an input")

export const chatInputSchema = z
  .discriminatedUnion("type", [first, ...others])
  .meta({ id: "ChatInput", description: "The current input" }) as unknown as z.ZodType<ChatInput>

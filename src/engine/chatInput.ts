/** The input of a chat answer: the waiting block, and what is only known while it waits. */
import { z } from "zod"
import { blockTypes } from "./blocks/registry.ts"
import { optional } from "./schema/members.ts"

const inputSchemas = Object.values(blockTypes).flatMap((type) =>
  type.kind === "input" ? [type.schema] : [],
)

const runtimeOptionsSchema = z
  .looseObject({
    paymentIntentSecret: optional.text("What the client pays with"),
    amountLabel: optional.text("The amount as people read it"),
    publicKey: optional.text("Publishable key of the payment provider"),
  })
  .meta({ id: "RuntimeOptions", description: "Only sent with payment inputs" })

/** An input as a client gets it: interpolated, its items those to show now. */
export const chatInputSchema = z
  .intersection(
    z.union(inputSchemas).meta({ id: "InputBlock", description: "A block that asks something" }),
    z.looseObject({
      prefilledValue: optional.text("Present value of the linked variable"),
      runtimeOptions: runtimeOptionsSchema.optional(),
    }),
  )
  .meta({ id: "ChatInput", description: "What is asked now" })

/** Has the client pause before it shows what follows. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

export const waitBlockSchema = blockSchemaOf("Wait", "A pause", {
  options: optional.object("How long and how", {
    secondsToWaitFor: z
      .union([z.string(), z.number()])
      .optional()
      .describe("Seconds; may hold {{variables}}; not a number: no pause"),
    shouldPause: optional.flag(
      "True: the flow goes on only when the client says so; default false",
    ),
  }),
}).meta({ id: "WaitBlock", description: "A pause, kept by the client" })

export type WaitBlock = z.infer<typeof waitBlockSchema>

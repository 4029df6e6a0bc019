/** Has the client pause before it shows what follows. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

export const waitBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Wait").describe("A pause"),
    options: z
      .object({
        secondsToWaitFor: z
          .union([z.string(), z.number()])
          .optional()
          .describe("Seconds; may hold {{variables}}; not a number: no pause"),
        shouldPause: z
          .boolean()
          .optional()
          .describe("True: the flow goes on only when the client says so; default false"),
      })
      .optional()
      .describe("How long and how"),
  })
  .meta({ id: "WaitBlock", description: "A pause, kept by the client" })

export type WaitBlock = z.infer<typeof waitBlockSchema>

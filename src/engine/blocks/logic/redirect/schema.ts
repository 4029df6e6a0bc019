/** Has the client open another page. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

export const redirectBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Redirect").describe("Opening of another page"),
    options: z
      .object({
        url: z
          .string()
          .optional()
          .describe("Address; may hold {{variables}}; https:// is added where a scheme is missing"),
        isNewTab: z.boolean().optional().describe("Whether in a new tab; default false"),
      })
      .optional()
      .describe("Where to go"),
  })
  .meta({ id: "RedirectBlock", description: "Has the client open another page; the chat goes on" })

export type RedirectBlock = z.infer<typeof redirectBlockSchema>

/** Runs JavaScript of the author. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

export const scriptBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Code").describe("A script"),
    options: z
      .object({
        name: z.string().optional().describe("Name for the author"),
        content: z
          .string()
          .optional()
          .describe("JavaScript, body of an async function; {{variables}} stand for their values"),
        isExecutedOnClient: z
          .boolean()
          .optional()
          .describe("Whether the client runs it, or a sandbox of the service; default true"),
        isUnsafe: z.boolean().optional().describe("Whether it came with an import"),
        shouldExecuteInParentContext: z.boolean().optional().describe("Obsolete, ignored"),
      })
      .optional()
      .describe("The script and where it runs"),
  })
  .meta({ id: "ScriptBlock", description: "Runs JavaScript of the author" })

export type ScriptBlock = z.infer<typeof scriptBlockSchema>

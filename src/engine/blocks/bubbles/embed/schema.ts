/** Shape of an embed bubble. */
import { z } from "zod"
import { variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"

const waitSchema = z
  .object({
    isEnabled: z
      .boolean()
      .optional()
      .describe("Whether the chat waits for a message of the page; default false"),
    name: z.string().optional().describe("Name that the window message must carry"),
    saveDataInVariableId: variableIdSchema
      .optional()
      .describe("Variable that receives the data of the message"),
  })
  .meta({ id: "EmbedWait", description: "The window message that an embed waits for" })

const contentSchema = z
  .object({
    url: z.string().optional().describe("Address of the page; may hold {{variables}}"),
    height: z
      .union([z.number(), z.string()])
      .optional()
      .describe("Height in pixels, or a variable that holds it; default 400"),
    waitForEvent: waitSchema.optional(),
  })
  .meta({ id: "EmbedBubbleContent", description: "The page to show" })

export const embedBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("embed").describe("An embed bubble"),
    content: contentSchema.optional(),
  })
  .meta({ id: "EmbedBlock", description: "Shows another page within the chat" })

export type EmbedBlock = z.infer<typeof embedBlockSchema>

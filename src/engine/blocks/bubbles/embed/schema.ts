/** Shape of an embed bubble. */
import { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const waitSchema = namedObject("EmbedWait", "The window message that an embed waits for", {
  isEnabled: optional.flag("Whether the chat waits for a message of the page; default false"),
  name: optional.text("Name that the window message must carry"),
  saveDataInVariableId: optional.variableId("Variable that receives the data of the message"),
})

const contentSchema = namedObject("EmbedBubbleContent", "The page to show", {
  url: optional.template("Address of the page"),
  height: z
    .union([z.number(), z.string()])
    .optional()
    .describe("Height in pixels, or a variable that holds it; default 400"),
  waitForEvent: waitSchema.optional(),
})

export const embedBlockSchema = blockSchemaOf("embed", "An embed bubble", {
  content: contentSchema.optional(),
}).meta({ id: "EmbedBlock", description: "Shows another page within the chat" })

export type EmbedBlock = z.infer<typeof embedBlockSchema>

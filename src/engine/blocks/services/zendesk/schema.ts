/** Stored form of the Zendesk block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import { actionOption, credentialsOption, text } from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Open Web Widget"]),
    userId: text("Identifier of who is writing; absent: nobody is signed in"),
    name: text("Name of who is writing"),
    email: text("Mail address of who is writing"),
    webWidgetKey: text("Key of the widget"),
  })
  .meta({ id: "ZendeskOptions", description: "The widget to open" })

export type ZendeskOptions = z.infer<typeof optionsSchema>

export const zendeskBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("zendesk").describe("Zendesk"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "ZendeskBlock", description: "Opens the messaging widget of Zendesk" })

export type ZendeskBlock = z.infer<typeof zendeskBlockSchema>

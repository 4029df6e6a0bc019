/** Stored form of the Zendesk block. */
import type { z } from "zod"
import { namedObject, optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption, credentialsOption } from "../serviceSchema.ts"

const optionsSchema = namedObject("ZendeskOptions", "The widget to open", {
  credentialsId: credentialsOption,
  action: actionOption(["Open Web Widget"]),
  userId: optional.template("Identifier of who is writing; absent: nobody is signed in"),
  name: optional.template("Name of who is writing"),
  email: optional.template("Mail address of who is writing"),
  webWidgetKey: optional.template("Key of the widget"),
})

export type ZendeskOptions = z.infer<typeof optionsSchema>

export const zendeskBlockSchema = blockSchemaOf("zendesk", "Zendesk", {
  options: optionsSchema.optional(),
}).meta({ id: "ZendeskBlock", description: "Opens the messaging widget of Zendesk" })

export type ZendeskBlock = z.infer<typeof zendeskBlockSchema>

/** Stored form of the Zendesk block. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption, credentialsOption } from "../serviceSchema.ts"

export const zendeskBlockSchema = blockSchemaOf("zendesk", "Zendesk", {
  options: optional.named("ZendeskOptions", "The widget to open", {
    credentialsId: credentialsOption,
    action: actionOption(["Open Web Widget"]),
    userId: optional.template("Identifier of who is writing; absent: nobody is signed in"),
    name: optional.template("Name of who is writing"),
    email: optional.template("Mail address of who is writing"),
    webWidgetKey: optional.template("Key of the widget"),
  }),
}).meta({ id: "ZendeskBlock", description: "Opens the messaging widget of Zendesk" })

export type ZendeskBlock = z.infer<typeof zendeskBlockSchema>
export type ZendeskOptions = NonNullable<ZendeskBlock["options"]>

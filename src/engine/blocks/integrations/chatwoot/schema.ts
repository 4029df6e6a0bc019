/** Stored form of the Chatwoot block. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

export const chatwootBlockSchema = blockSchemaOf("Chatwoot", "Chatwoot", {
  options: optional.named("ChatwootOptions", "What to do with the widget of Chatwoot", {
    task: optional.oneOf("What to do; default Show widget", ["Show widget", "Close widget"]),
    baseUrl: optional.text("Address of the Chatwoot instance; default https://app.chatwoot.com"),
    websiteToken: optional.text("Token of the inbox"),
    user: optional.object("Who is writing; used when id or email are given", {
      id: optional.text("Identifier of the contact"),
      email: optional.text("Mail address of the contact"),
      name: optional.text("Name of the contact"),
      avatarUrl: optional.text("Picture of the contact"),
      phoneNumber: optional.text("Phone number of the contact"),
    }),
  }),
}).meta({ id: "ChatwootBlock", description: "Opens or closes the widget of Chatwoot" })

type ChatwootBlock = z.infer<typeof chatwootBlockSchema>
export type ChatwootOptions = NonNullable<ChatwootBlock["options"]>

/** Stored form of the Gmail block. */
import type { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { actionOption, credentialsOption, itemMappingSchema } from "../serviceSchema.ts"

export const gmailBlockSchema = blockSchemaOf("gmail", "Gmail", {
  options: optional.named("GmailOptions", "The mail to send", {
    credentialsId: credentialsOption,
    action: actionOption(["Send email"]),
    to: optional.template("Recipients, separated by commas"),
    subject: optional.template("Subject"),
    body: optional.template("Body as plain text"),
    attachments: optional.variableId("Variable with addresses of files to attach"),
    label: optional.template("Id of the label that the sent mail gets"),
    from: optional.template("Sender: an address, or a name before the account's own address"),
    threadId: optional.template("Id of the thread that the mail belongs to"),
    replyTo: optional.template("Address for replies"),
    responseMapping: itemMappingSchema(["Message ID", "Thread ID"]),
  }),
}).meta({ id: "GmailBlock", description: "Sends a mail from a Gmail account" })

export type GmailBlock = z.infer<typeof gmailBlockSchema>
export type GmailOptions = NonNullable<GmailBlock["options"]>

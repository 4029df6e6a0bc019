/** Stored form of the mail block. */
import { z } from "zod"
import { optional } from "../../../schema/members.ts"
import { blockSchemaOf } from "../../blockSchema.ts"

const addresses = (description: string) => optional.list(description, z.string())

export const emailBlockSchema = blockSchemaOf("Email", "Mail", {
  options: optional.named("EmailOptions", "Options of a mail", {
    credentialsId: optional.text(
      "Credential of type smtp, or `default`: the mail server of this service",
    ),
    isCustomBody: optional.flag(
      "False: send a list of the answers; absent: send the body if there is one",
    ),
    isBodyCode: optional.flag("Whether the body is HTML; default false"),
    recipients: addresses("To; none: no mail is sent"),
    subject: optional.template("Subject"),
    body: optional.template("Body"),
    replyTo: optional.text("Address for replies; of `Name <a@b.c>` the name is also the sender's"),
    cc: addresses("Copies"),
    bcc: addresses("Blind copies"),
    attachmentsVariableId: optional.variableId(
      "Variable with addresses of uploaded files: a list, or text split at `, `",
    ),
  }),
}).meta({ id: "EmailBlock", description: "Sends a mail" })

export type EmailBlock = z.infer<typeof emailBlockSchema>
export type EmailOptions = NonNullable<EmailBlock["options"]>

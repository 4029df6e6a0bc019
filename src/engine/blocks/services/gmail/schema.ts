/** Stored form of the Gmail block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"
import {
  actionOption,
  credentialsOption,
  itemMappingSchema,
  text,
  variableOption,
} from "../serviceSchema.ts"

const optionsSchema = z
  .object({
    credentialsId: credentialsOption,
    action: actionOption(["Send email"]),
    to: text("Recipients, separated by commas"),
    subject: text("Subject"),
    body: text("Body as plain text"),
    attachments: variableOption("Variable with addresses of files to attach"),
    label: text("Id of the label that the sent mail gets"),
    from: text("Sender: an address, or a name before the account's own address"),
    threadId: text("Id of the thread that the mail belongs to"),
    replyTo: text("Address for replies"),
    responseMapping: itemMappingSchema(["Message ID", "Thread ID"]),
  })
  .meta({ id: "GmailOptions", description: "The mail to send" })

export type GmailOptions = z.infer<typeof optionsSchema>

export const gmailBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("gmail").describe("Gmail"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "GmailBlock", description: "Sends a mail from a Gmail account" })

export type GmailBlock = z.infer<typeof gmailBlockSchema>

/** Stored form of the mail block. */
import { z } from "zod"
import { variableIdSchema } from "../../../schema/id.ts"
import { blockShape } from "../../blockShape.ts"

const addresses = (description: string) => z.array(z.string()).optional().describe(description)

const optionsSchema = z
  .object({
    credentialsId: z
      .string()
      .optional()
      .describe("Credential of type smtp, or `default`: the mail server of this service"),
    isCustomBody: z
      .boolean()
      .optional()
      .describe("False: send a list of the answers; absent: send the body if there is one"),
    isBodyCode: z.boolean().optional().describe("Whether the body is HTML; default false"),
    recipients: addresses("To; none: no mail is sent"),
    subject: z.string().optional().describe("Subject; may hold {{variables}}"),
    body: z.string().optional().describe("Body; may hold {{variables}}"),
    replyTo: z
      .string()
      .optional()
      .describe("Address for replies; of `Name <a@b.c>` the name is also the sender's"),
    cc: addresses("Copies"),
    bcc: addresses("Blind copies"),
    attachmentsVariableId: variableIdSchema
      .optional()
      .describe("Variable with addresses of uploaded files: a list, or text split at `, `"),
  })
  .meta({ id: "EmailOptions", description: "Options of a mail" })

export type EmailOptions = z.infer<typeof optionsSchema>

export const emailBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Email").describe("Mail"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "EmailBlock", description: "Sends a mail" })

export type EmailBlock = z.infer<typeof emailBlockSchema>

/** Stored form of the Chatwoot block. */
import { z } from "zod"
import { blockShape } from "../../blockShape.ts"

const text = (description: string) => z.string().optional().describe(description)

const optionsSchema = z
  .object({
    task: z
      .enum(["Show widget", "Close widget"])
      .optional()
      .describe("What to do; default Show widget"),
    baseUrl: text("Address of the Chatwoot instance; default https://app.chatwoot.com"),
    websiteToken: text("Token of the inbox"),
    user: z
      .object({
        id: text("Identifier of the contact"),
        email: text("Mail address of the contact"),
        name: text("Name of the contact"),
        avatarUrl: text("Picture of the contact"),
        phoneNumber: text("Phone number of the contact"),
      })
      .optional()
      .describe("Who is writing; used when id or email are given"),
  })
  .meta({ id: "ChatwootOptions", description: "What to do with the widget of Chatwoot" })

export type ChatwootOptions = z.infer<typeof optionsSchema>

export const chatwootBlockSchema = z
  .object({
    ...blockShape,
    type: z.literal("Chatwoot").describe("Chatwoot"),
    options: optionsSchema.optional(),
  })
  .meta({ id: "ChatwootBlock", description: "Opens or closes the widget of Chatwoot" })

export type ChatwootBlock = z.infer<typeof chatwootBlockSchema>

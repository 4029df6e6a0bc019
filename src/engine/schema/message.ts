/** Messages from a visitor or a client to a chat. */

import { z } from "zod"
import { listOf } from "./lists.ts"
import type { RichText } from "./richText.ts"
import { namedObject, optional } from "./sharedMembers.ts"

/** Max characters of one message. */
export const maxTextLength = 100_000

const inputId = z
  .string()
  .max(255)
  .optional()
  .describe("Id of the only input that the reply is for; absent: the waiting input")

const textMessageSchema = namedObject("TextMessage", "A text reply", {
  type: z.literal("text").describe("A typed reply, or the outcome of a client-side action"),
  text: z.string().max(maxTextLength).describe("The words"),
  attachedFileUrls: listOf(z.string().max(8192), 50)
    .optional()
    .describe("Addresses of files sent along"),
  metadata: optional.object("More about the reply", {
    replyId: z.string().max(255).optional().describe("Id of the chosen item"),
    inputId,
  }),
})

const audioMessageSchema = namedObject("AudioMessage", "A voice reply", {
  type: z.literal("audio").describe("A voice clip"),
  url: z.string().max(8192).describe("Address of the clip"),
  metadata: optional.object("More about the reply", { inputId }),
})

const commandMessageSchema = namedObject("CommandMessage", "Fires a command event of the flow", {
  type: z.literal("command").describe("A command"),
  command: z.string().max(1024).describe("Name of the command event to fire"),
})

/** The message of a request: an object, or a bare string as shorthand for a text message. */
export const messageSchema = z
  .union([
    z.discriminatedUnion("type", [textMessageSchema, audioMessageSchema, commandMessageSchema]),
    z.string().max(maxTextLength).describe("Shorthand for a text message"),
  ])
  .meta({ id: "Message", description: "Message of the visitor" })

export type Message =
  | z.infer<typeof textMessageSchema>
  | z.infer<typeof audioMessageSchema>
  | z.infer<typeof commandMessageSchema>

/** What a person of the team says in a paused chat, as it is stored beside messages of visitors. */
export type TeamMessage = {
  isTeam: true
  /** Markdown if there is rich text, else plain text. */
  text: string
  richText?: RichText | undefined
  attachedFileUrls?: string[] | undefined
  /** The shown name; absent: none. */
  author?: string | undefined
}

export type TextMessage = z.infer<typeof textMessageSchema>

/** The object form of a message, if any. */
export function readMessage(
  sent: z.infer<typeof messageSchema> | null | undefined,
): Message | undefined {
  return typeof sent === "string" ? { type: "text", text: sent } : (sent ?? undefined)
}

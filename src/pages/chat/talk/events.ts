/** The events of a chat that the page around it can listen to. */
import type { ChatMessage, ClientAction } from "../payload.ts"

export type ChatEvent =
  | { type: "start"; resultId?: string | undefined }
  | { type: "message"; message: ChatMessage }
  | { type: "answer"; text: string; blockId: string }
  | { type: "action"; action: ClientAction }
  | { type: "end" }
  | { type: "open" }
  | { type: "close" }

export type ChatListener = (event: ChatEvent) => void

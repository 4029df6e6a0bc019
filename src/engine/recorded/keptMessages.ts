/** Puts what people said to paused chats, which the bot did not hear, into the conversation. */
import type { Message } from "../schema/message.ts"
import type { ConversationLine } from "./replayTurns.ts"

/** A message that came while the chat was paused. */
type KeptMessage = {
  /** Milliseconds since 1970. */
  at: number
  message: Message
}

/** The lines with the messages among them, by time; both are in order. */
export function withKept(
  lines: readonly ConversationLine[],
  kept: readonly KeptMessage[],
): ConversationLine[] {
  return [...lines, ...kept.map(lineOf)].toSorted((a, b) => a.at - b.at)
}

function lineOf({ at, message }: KeptMessage): ConversationLine {
  const said = { at, from: "person", wasPaused: true } as const
  switch (message.type) {
    case "audio":
      return { ...said, type: "audio", text: message.url }
    case "command":
      return { ...said, type: "text", text: message.command }
    case "text": {
      const files = (message.attachedFileUrls ?? []).join(", ")
      return { ...said, type: "text", text: [files, message.text].filter(Boolean).join("\n\n") }
    }
  }
}

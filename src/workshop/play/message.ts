/** What a step of a test sends. */
import type { Message } from "../../engine/schema/message.ts"
import type { TestStep } from "../files/schema.ts"

/** What the person of a test sends, as clients send it. */
export function messageOf(sent: NonNullable<TestStep["user"]>): Message {
  if (typeof sent === "string") return { type: "text", text: sent }
  const { text = "", files, audio, command } = sent
  if (command !== undefined) return { type: "command", command }
  if (audio !== undefined) return { type: "audio", url: audio }
  return { type: "text", text, ...(files && { attachedFileUrls: files }) }
}

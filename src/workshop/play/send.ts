/** Performs a test step in a chat. */
import type { Message } from "../../engine/schema/message.ts"
import type { Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import type { TestStep } from "../files/testFileSchema.ts"
import type { Play } from "./play.ts"

/** Performs a step that is not about the bot; without members, the client proceeds without a report. */
export async function send(
  { reply, fallSilent, receive }: Play,
  session: Session,
  { silence, webhook, user, client }: TestStep,
): Promise<Turn> {
  if (silence !== undefined) return await fallSilent(session, silence)
  if (webhook !== undefined) return await receive(session, JSON.stringify(webhook))
  const sent = user ?? client
  return await reply(session, sent === undefined ? undefined : messageOf(sent))
}

/** A message in the form of a test's person. */
export function sent(message: Message): NonNullable<TestStep["user"]> {
  if (message.type === "command") return { command: message.command }
  if (message.type === "audio") return { audio: message.url }
  const { text, attachedFileUrls: files = [] } = message
  return files.length > 0 ? { text, files } : text
}

/** A test person's message in the form of clients. */
function messageOf(sent: NonNullable<TestStep["user"]>): Message {
  if (typeof sent === "string") return { type: "text", text: sent }
  const { text = "", files, audio, command } = sent
  if (command !== undefined) return { type: "command", command }
  if (audio !== undefined) return { type: "audio", url: audio }
  return { type: "text", text, ...(files && { attachedFileUrls: files }) }
}

/** Has happen in a chat what a step of a test says. */
import type { Message } from "../../engine/schema/message.ts"
import type { Session } from "../../engine/session.ts"
import type { Turn } from "../../engine/turn/run.ts"
import type { TestStep } from "../files/testFileSchema.ts"
import type { Play } from "./play.ts"

/** Makes a step that is not about the bot; one without members is a client that reports nothing. */
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

/** A message as a person of a test sends it. */
export function sent(message: Message): NonNullable<TestStep["user"]> {
  if (message.type === "command") return { command: message.command }
  if (message.type === "audio") return { audio: message.url }
  const { text, attachedFileUrls: files = [] } = message
  return files.length > 0 ? { text, files } : text
}

/** What the person of a test sends, as clients send it. */
function messageOf(sent: NonNullable<TestStep["user"]>): Message {
  if (typeof sent === "string") return { type: "text", text: sent }
  const { text = "", files, audio, command } = sent
  if (command !== undefined) return { type: "command", command }
  if (audio !== undefined) return { type: "audio", url: audio }
  return { type: "text", text, ...(files && { attachedFileUrls: files }) }
}

/** Sends mails from a Gmail account (Gmail API v1). */
import { createTransport } from "nodemailer"
import type { Failure, Outcome } from "../../engine/calls.ts"
import { anySignal } from "../../lib/anySignal.ts"
import { pickText } from "../../lib/foreignJson.ts"
import { nonEmpty } from "../../lib/presentMembers.ts"
import type { OpenCredential } from "../credentials/credentials.ts"
import { failed, networkFailure } from "../failures.ts"
import type { GuardedFetch } from "../network/guardedFetch.ts"
import { messageOf, type ReadyMail } from "./mailMessage.ts"

export type GmailConnection = {
  fetch: GuardedFetch
  /** Root of the API; absent: Google's. */
  gmailUrl?: string | undefined
}

const timeoutMs = 30_000

export async function sendByGmail(
  { fetch, gmailUrl = "https://gmail.googleapis.com/gmail/v1" }: GmailConnection,
  mail: ReadyMail,
  { account, signal }: { account: OpenCredential; signal: AbortSignal },
): Promise<Outcome<"email">> {
  try {
    const raw = await compose(mail)
    const response = await fetch(`${gmailUrl}/users/me/messages/send`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${pickText(account.data, "accessToken") ?? ""}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ raw, ...(mail.threadId ? { threadId: mail.threadId } : {}) }),
      redirect: "manual",
      signal: anySignal([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const data: unknown = await response.json().catch(() => undefined)
    const words = pickText(data, "error", "message") ?? ""
    if (!response.ok) return refused(response.status, account.redact(words))
    return nonEmpty({ messageId: pickText(data, "id"), threadId: pickText(data, "threadId") })
  } catch (error) {
    return networkFailure(error, "Gmail")
  }
}

/** The whole message, as the API expects it. */
async function compose(mail: ReadyMail): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" })
  // There is no sender: Gmail adds that of the account.
  const sent = await transport.sendMail(messageOf(mail))
  if (!Buffer.isBuffer(sent.message)) throw new Error("The mail was not composed in memory")
  return sent.message.toString("base64url")
}

function refused(status: number, words: string): Failure {
  const details = words.slice(0, 500) || undefined
  const reason = status === 401 ? "credentials" : undefined
  return failed(`Gmail refused the mail with status ${status}`, { status, details, reason })
}

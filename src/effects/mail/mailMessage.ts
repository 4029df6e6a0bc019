/** Builds the message of a mail for nodemailer. */
import type { EmailAsk } from "../../engine/calls.ts"
import { defined, nonEmpty } from "../../lib/presentMembers.ts"

/** A mail whose attachments have been read. */
export type ReadyMail = EmailAsk & { files: Attachment[] }

export type Attachment = { filename: string; content: Buffer; contentType: string }

export type Sender = { email: string; name?: string | undefined }

/** The message; nodemailer parses addresses and folds lines. Without `sender` the account adds its own. */
export function messageOf(mail: ReadyMail, sender?: Sender) {
  const { to, cc, bcc, replyTo, from, senderName, subject, text, html, files } = mail
  const own = sender && { address: sender.email, name: senderName ?? sender.name ?? "" }
  return {
    to,
    ...nonEmpty({ cc, bcc, replyTo, from: from || own }),
    subject: subject ?? "",
    ...defined({ text, html }),
    attachments: files,
    // Attachments are bytes already; no part of a mail may make nodemailer read files or URLs.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

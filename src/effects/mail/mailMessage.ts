/** A mail that is ready to be sent, and its form for nodemailer. */
import type { EmailAsk } from "../../engine/calls.ts"
import { defined, nonEmpty } from "../../engine/presentMembers.ts"

/** A mail whose attachments have been read. */
export type ReadyMail = EmailAsk & { files: Attachment[] }

/** A file that goes with a mail. */
export type Attachment = { filename: string; content: Buffer; contentType: string }

/** A person or machine that sends mail. */
export type Sender = { email: string; name?: string | undefined }

/** The message; nodemailer parses addresses and folds line breaks. Without `sender` the account adds its own. */
export function messageOf(mail: ReadyMail, sender?: Sender) {
  const { to, cc, bcc, replyTo, from, senderName, subject, text, html, files } = mail
  const own = sender && { address: sender.email, name: senderName ?? sender.name ?? "" }
  return {
    to,
    ...nonEmpty({ cc, bcc, replyTo, from: from || own }),
    subject: subject ?? "",
    ...defined({ text, html }),
    attachments: files,
    // Contents are bytes; no part of a mail may make the machine read files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

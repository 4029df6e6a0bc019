/** A mail as nodemailer takes it. */
import type { ReadyMail } from "./email.ts"

/** A person or machine that sends mail. */
export type Sender = { email: string; name?: string | undefined }

/** The message; nodemailer parses addresses and folds line breaks. No sender: whoever sends puts it in. */
export function messageOf(mail: ReadyMail, sender?: Sender) {
  const { to, cc, bcc, replyTo, from, senderName, subject, text, html, files } = mail
  const own = sender && { address: sender.email, name: senderName ?? sender.name ?? "" }
  return {
    to,
    ...(cc ? { cc } : {}),
    ...(bcc ? { bcc } : {}),
    ...(replyTo ? { replyTo } : {}),
    ...(from || own ? { from: from || own } : {}),
    subject: subject ?? "",
    ...(text === undefined ? {} : { text }),
    ...(html === undefined ? {} : { html }),
    attachments: files,
    // Contents come as bytes; nothing of a mail may make the machine read files or addresses.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

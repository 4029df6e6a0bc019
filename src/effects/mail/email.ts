/** Performs calls of the kind `email`: sends through the account's or the service's mail server, or Gmail. */
import { createHash } from "node:crypto"
import { LRUCache } from "lru-cache"
import addressParser from "nodemailer/lib/addressparser"
import { type EmailAsk, type Failure, isFailure } from "../../engine/calls.ts"
import type { Credentials } from "../credentials/credentials.ts"
import { failed } from "../failures.ts"
import type { ReadFile } from "../files/readFile.ts"
import type { CallContext, Performer } from "../perform.ts"
import { mapTexts } from "../variables/turnVariables.ts"
import { type GmailConnection, sendByGmail } from "./gmail.ts"
import type { Attachment, ReadyMail } from "./mailMessage.ts"
import { type MailServer, type ResolveHost, sendBySmtp, serverOf } from "./smtp.ts"

/** Dependencies of sending mails. */
type EmailDeps = {
  credentials: Credentials
  readFile: ReadFile
  /** The mail server of this service, if it has one. */
  defaultServer?: MailServer | undefined
  /** Resolves the mail server of an account, and refuses forbidden addresses. */
  resolveHost: ResolveHost
} & GmailConnection

const mailsPerTurn = 5
/** Max addresses of one mail, copies and those for replies included. */
const maxAddresses = 50
const maxAttachments = 50
const maxAttachmentsBytes = 20_000_000
const turnTtlMs = 15 * 60_000

/** Mails of a turn: their number, and the hash of the last one. */
type Sent = { count: number; last: string }

/** Creates the performer: it sends at most five mails in one turn, and none twice in a row. */
export function createEmail(deps: EmailDeps): Performer<"email"> {
  const turns = new LRUCache<string, Sent>({ max: 10_000, ttl: turnTtlMs })
  const sendOne: Performer<"email"> = async (call, context) => {
    if (context.isRestricted) return failed("Mails cannot be sent in an anonymous preview")
    if (addressCount(call) > maxAddresses) {
      return failed(`A mail goes to at most ${maxAddresses} addresses`, { reason: "limit" })
    }
    if ((call.attachments ?? []).length > maxAttachments) {
      return failed(`A mail has at most ${maxAttachments} attachments`, { reason: "limit" })
    }
    const refusal = count(turns, call, context)
    if (refusal) return refusal
    const files = await readAttachments(deps.readFile, call, context)
    if (isFailure(files)) return files
    return send(deps, { ...call, files }, context)
  }
  return async (call, context) => {
    const secrets = context.secrets?.usedIn(call)
    if (!secrets) return await sendOne(call, context)
    if (isFailure(secrets)) return secrets
    return secrets.redact(await sendOne(mapTexts(call, secrets.reveal), context))
  }
}

/** The addresses as the mail server sees them: an entry may hold several, or a group. */
function addressCount({ to, cc = [], bcc = [], replyTo = "" }: EmailAsk): number {
  return [to, cc, bcc, replyTo].flat().flatMap((entry) => addressParser(entry, { flatten: true }))
    .length
}

async function send(deps: EmailDeps, mail: ReadyMail, context: CallContext) {
  const { signal } = context
  if (!mail.credential) {
    if (!deps.defaultServer) return failed("This service has no mail server of its own")
    return sendBySmtp(deps.defaultServer, mail, { signal })
  }
  const account = await deps.credentials.find(mail.credential, context)
  if (isFailure(account)) return account
  if (account.type === "gmail") return sendByGmail(deps, mail, { account, signal })
  const server = serverOf(account.data)
  if (!server) return failed("The account has no mail server", { reason: "credentials" })
  return sendBySmtp(server, mail, { signal, resolveHost: deps.resolveHost })
}

function count(
  turns: LRUCache<string, Sent>,
  { kind: _, carry: __, ...mail }: EmailAsk & { kind: unknown; carry?: unknown },
  { turnKey }: CallContext,
): Failure | undefined {
  const hash = createHash("sha256").update(JSON.stringify(mail)).digest("base64")
  const sent = turns.get(turnKey) ?? { count: 0, last: "" }
  if (sent.last === hash) return failed("The same mail was just sent", { reason: "limit" })
  if (sent.count >= mailsPerTurn) {
    return failed(`At most ${mailsPerTurn} mails can be sent at once`, { reason: "limit" })
  }
  turns.set(turnKey, { count: sent.count + 1, last: hash })
  return undefined
}

async function readAttachments(
  readFile: ReadFile,
  { attachments = [], attachesOnlyUploads }: EmailAsk,
  context: CallContext,
): Promise<Attachment[] | Failure> {
  const files: Attachment[] = []
  let left = maxAttachmentsBytes
  for (const url of attachments) {
    const rules = { maxBytes: left, isOwnOnly: attachesOnlyUploads }
    const file = await readFile(url, context, rules)
    if (isFailure(file))
      return { ...file, description: `An attachment failed: ${file.description}` }
    const { bytes, contentType, name } = file
    left -= bytes.length
    files.push({ filename: name, content: Buffer.from(bytes), contentType })
  }
  return files
}

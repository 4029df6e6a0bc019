/** Sends a mail; previews only log it. */
import { z } from "zod"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { type EmailAsk, isFailure, type Outcome } from "../../../calls.ts"
import type { Log } from "../../../schema/log.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { escapeHtml, interpolate, isTainted, tokenValue } from "../../../variables/interpolate.ts"
import { fileAddresses } from "../../../variables/variables.ts"
import { forCalls } from "../../../variables/workspaceVariables.ts"
import type { BlockContext, Step } from "../../block.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"
import { addressesIn, addressesOf } from "../../mailAddresses.ts"
import { collectedValues } from "../answersObject.ts"

const addresses = (description: string) =>
  optional.list(description, z.string().meta({ "x-parley": { template: true } }))

const emailBlockSchema = blockSchemaOf("Email", {
  options: optional.named("EmailOptions", "Options of a mail", {
    credentialsId: optional.hinted(
      "Credential of type smtp, or `default`: the mail server of this service",
      { credentials: "smtp" },
    ),
    isCustomBody: optional.flag(
      "Whether to send the body, not a list of the answers; absent: if there is a body",
    ),
    isBodyCode: optional.flag("Whether the body is HTML", false),
    recipients: addresses("To; none: no mail is sent"),
    subject: optional.template("Subject"),
    body: optional.template("Body"),
    replyTo: optional.template(
      "Address for replies; of `Name <a@b.c>` the name is also the sender's",
    ),
    cc: addresses("Copies"),
    bcc: addresses("Blind copies"),
    attachmentsVariableId: optional.variableId(
      "Variable with addresses of files: a list, or text split at `, `. Of those that a visitor gave only uploads of the chat are attached; others may lie on the web",
    ),
  }),
}).meta({ id: "EmailBlock" })

type EmailBlock = z.infer<typeof emailBlockSchema>
export type EmailOptions = NonNullable<EmailBlock["options"]>

export const emailBlock = action(emailBlockSchema, {
  catalogue: {
    label: "Email",
    description: "Sends an email with the answers, or with a text of your own",
    category: "communication",
    icon: "mail",
  },
  // The sender account of the service itself.
  fallbackCredentialsId: "default",
  needsCredentials: () => true,
  sendsSecrets: () => [
    ["options", "subject"],
    ["options", "body"],
  ],
  problems: ({ options }) => {
    if (options?.recipients?.some((entry) => entry.trim() !== "")) return []
    const message = "The mail has no recipients, so it is never sent"
    return [{ rule: "no-recipients", at: options ? ["options"] : [], message }]
  },
  run,
  resume: {
    email: (_block, outcome) => ({ log: [logOf(outcome)] }),
  },
})

function run({ options }: EmailBlock, context: BlockContext): Step<"email"> {
  if (!options) return {}
  if (context.chat.isPreview) {
    return { log: [{ status: "info", description: "Mails are not sent in a preview" }] }
  }
  const to = addressesOf(options.recipients, context)
  if (to.length === 0) {
    if (!options.recipients?.some((entry) => interpolate(entry, context).trim())) return {}
    const description = "None of the recipients is a mail address"
    return { log: [{ status: "error", description, isInternal: true }] }
  }
  if (!options.credentialsId) {
    const description = "The mail has no sender account"
    return { log: [{ status: "error", description, isInternal: true }] }
  }
  return { next: { call: { kind: "email", to, ...mailOf(options, context) } } }
}

function mailOf(options: EmailOptions, context: BlockContext): Omit<EmailAsk, "to"> {
  const { credentialsId } = options
  const replyTo = addressesIn(options.replyTo ?? "", context).join(", ")
  return {
    ...(credentialsId && credentialsId !== "default"
      ? { credential: { id: credentialsId, type: "smtp" } }
      : {}),
    ...nonEmpty({
      cc: addressesOf(options.cc, context),
      bcc: addressesOf(options.bcc, context),
      replyTo,
      senderName: nameBefore(replyTo.trim()),
      subject: interpolate(options.subject, forCalls(context)),
      attachments: fileAddresses(options.attachmentsVariableId, context.variables),
    }),
    ...bodyOf(options, forCalls(context)),
    // Authors may attach files from the web; addresses from visitors may name only uploads.
    attachesOnlyUploads: context.variables.isPlain(options.attachmentsVariableId),
  }
}

/** The name in `Name <address>`; undefined when the text has another form. */
function nameBefore(text: string): string | undefined {
  if (!text.endsWith(">")) return undefined
  const address = text.indexOf("<", Math.max(text.lastIndexOf(">", text.length - 2) + 1, 1))
  const name = text.slice(0, Math.max(address, 0)).trim()
  return name === "" || name.includes("\n") ? undefined : name
}

function logOf(outcome: Outcome<"email">): Log {
  if (!isFailure(outcome)) return { status: "success", description: "Mail sent", isInternal: true }
  const { description, details } = outcome
  return {
    status: "error",
    description: "Mail not sent",
    details: details === undefined ? description : `${description}: ${details}`,
    isInternal: true,
  }
}

/** The body as HTML or as plain text. */
function bodyOf(options: EmailOptions, context: BlockContext): { html: string } | { text: string } {
  const { isCustomBody, isBodyCode, body } = options
  if (isCustomBody !== true && (isCustomBody === false || !body)) return { html: summary(context) }
  return isBodyCode ? { html: htmlOf(body ?? "", context) } : { text: textOf(body ?? "", context) }
}

function textOf(body: string, context: BlockContext): string {
  const value = tokenValue(body, context)
  return Array.isArray(value) ? value.join("\n") : interpolate(body, context)
}

/** Escapes the words of visitors, who could otherwise compose mails from this account. */
function htmlOf(body: string, context: BlockContext): string {
  if (tokenValue(body, context) === undefined) return interpolate(body, context, "markup")
  const text = textOf(body, context)
  return withBreaks(isTainted(body, context) ? escapeHtml(text) : text)
}

const withBreaks = (html: string) => html.replaceAll("\n", "<br />")

function summary(context: BlockContext): string {
  const rows = Object.entries(collectedValues(context)).map(
    ([name, value]) => `<dt><b>${escapeHtml(name)}</b></dt><dd>${escapeHtml(value)}</dd>`,
  )
  return `<h1>New answers</h1><dl>${withBreaks(rows.join(""))}</dl>`
}

/** Sends a mail; in a preview it only says that it would. */

import { type EmailAsk, isFailure, type Outcome } from "../../../calls.ts"
import { nonEmpty } from "../../../presentMembers.ts"
import type { Log } from "../../../schema/log.ts"
import type { VariableValue } from "../../../schema/variable.ts"
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import { fileAddresses } from "../../../variables/variables.ts"
import type { BlockContext, Step } from "../../block.ts"
import { action } from "../../defineBlock.ts"
import { bodyOf } from "./body.ts"
import { type EmailBlock, type EmailOptions, emailBlockSchema } from "./schema.ts"

export const emailBlock = action(emailBlockSchema, {
  // The sender account of the service itself.
  fallbackCredentialsId: "default",
  needsCredentials: () => true,
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
  if (to.length === 0) return {}
  if (!options.credentialsId) {
    const description = "The mail has no sender account"
    return { log: [{ status: "error", description, isInternal: true }] }
  }
  return { next: { call: { kind: "email", to, ...mailOf(options, context) } } }
}

function mailOf(options: EmailOptions, context: BlockContext): Omit<EmailAsk, "to"> {
  const { credentialsId } = options
  const replyTo = interpolate(options.replyTo, context)
  return {
    ...(credentialsId && credentialsId !== "default"
      ? { credential: { id: credentialsId, type: "smtp" } }
      : {}),
    ...nonEmpty({
      cc: addressesOf(options.cc, context),
      bcc: addressesOf(options.bcc, context),
      replyTo,
      senderName: nameBefore(replyTo.trim()),
      subject: interpolate(options.subject, context),
      attachments: fileAddresses(options.attachmentsVariableId, context.variables),
    }),
    ...bodyOf(options, context),
    attachesOnlyUploads: true,
  }
}

/** The name of `Name <address>`; undefined when it has no such form. */
function nameBefore(text: string): string | undefined {
  if (!text.endsWith(">")) return undefined
  const address = text.indexOf("<", Math.max(text.lastIndexOf(">", text.length - 2) + 1, 1))
  const name = text.slice(0, Math.max(address, 0)).trim()
  return name === "" || name.includes("\n") ? undefined : name
}

/** Unlike elsewhere, texts within these lists are interpolated, and a list variable is spread. */
function addressesOf(addresses: readonly string[] | undefined, context: BlockContext): string[] {
  return (addresses ?? [])
    .flatMap((address): VariableValue[] => {
      const name = singleToken(address)
      const value = name === undefined ? undefined : context.variables.named(name)?.value
      return Array.isArray(value) ? value : [interpolate(address, context)]
    })
    .filter((address): address is string => Boolean(address))
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

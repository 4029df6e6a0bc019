/** Gmail: sends a mail from an account, and labels it. */
import { isFailure, type Outcome } from "../../../calls.ts"
import { failureLog, readApiAnswer } from "../../apiAnswer.ts"
import type { Action, Step } from "../../block.ts"
import { fileAddresses } from "../../fileAddresses.ts"
import { pickText } from "../../json.ts"
import { bearer, json, request } from "../api.ts"
import { actWithCredential, mapItems, needsAccount, refusal, type Visit } from "../service.ts"
import { type GmailBlock, type GmailOptions, gmailBlockSchema } from "./schema.ts"

type Kinds = "email" | "http"

const activity = "While sending a mail by Gmail"
const api = "https://gmail.googleapis.com/gmail/v1/users/me"

export const gmailBlock: Action<GmailBlock, Kinds> = {
  kind: "action",
  schema: gmailBlockSchema,
  needsCredentials: needsAccount,
  run: (block, context) =>
    actWithCredential<GmailOptions, Kinds>(block, context, { "Send email": begin }),
  resume: {
    http: (block, outcome, context) =>
      actWithCredential<GmailOptions, Kinds>(block, context, {
        "Send email": (visit) => answered(visit, outcome),
      }),
    email: (block, outcome, context) =>
      actWithCredential<GmailOptions, Kinds>(block, context, {
        "Send email": (visit) => sent(visit, outcome),
      }),
  },
}

function begin(visit: Visit<GmailOptions>): Step<Kinds> {
  const { to, from } = visit.options
  if (!to) return refusal("The mail has no recipient")
  // A bare name goes before the account's own address, which must be asked for.
  if (from && !from.includes("@")) {
    const profile = { method: "GET", url: `${api}/profile`, headers: [bearer("accessToken")] }
    return { next: { call: request(visit, profile, { carry: "profile" }) } }
  }
  return send(visit, from)
}

function send({ options, credential, context }: Visit<GmailOptions>, from?: string): Step<Kinds> {
  const { to = "", subject, body, replyTo, threadId } = options
  const attachments = fileAddresses(options.attachments, context.variables)
  return {
    next: {
      call: {
        kind: "email",
        credential,
        to: to
          .split(",")
          .map((address) => address.trim())
          .filter(Boolean),
        ...(from ? { from } : {}),
        ...(subject ? { subject } : {}),
        text: body ?? "",
        ...(replyTo ? { replyTo } : {}),
        ...(threadId ? { threadId } : {}),
        ...(attachments.length > 0 ? { attachments } : {}),
        attachesOnlyUploads: false,
      },
    },
  }
}

function answered(visit: Visit<GmailOptions>, outcome: Outcome<"http">): Step<Kinds> {
  const answer = readApiAnswer(outcome, activity)
  if ("log" in answer) return { log: [answer.log] }
  if (visit.context.carry !== "profile") return {}
  const address = pickText(answer.data, "emailAddress")
  return send(visit, address && `${visit.options.from} <${address}>`)
}

function sent(visit: Visit<GmailOptions>, outcome: Outcome<"email">): Step<Kinds> {
  if (isFailure(outcome)) return { log: [failureLog(outcome, activity)] }
  const { messageId, threadId } = outcome
  const { label, responseMapping } = visit.options
  const set = mapItems(responseMapping, "Message ID", {
    "Message ID": messageId,
    "Thread ID": threadId,
  })
  if (!label || !messageId) return { set }
  const call = request(
    visit,
    {
      method: "POST",
      url: `${api}/messages/${encodeURIComponent(messageId)}/modify`,
      headers: [bearer("accessToken")],
      body: json({ addLabelIds: [label] }),
    },
    { carry: "label" },
  )
  return { set, next: { call } }
}

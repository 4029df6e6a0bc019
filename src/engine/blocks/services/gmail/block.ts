/** Gmail: sends a mail from an account, and labels it. */
import { pickText } from "../../../../lib/foreignJson.ts"
import { nonEmpty } from "../../../../lib/presentMembers.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { fileAddresses } from "../../../variables/variables.ts"
import { bearer, json, request, segment } from "../../api.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { addressesIn } from "../../mailAddresses.ts"
import {
  type ActionOf,
  actionOption,
  calling,
  credentialsOption,
  itemMappingSchema,
  mapItems,
  type Results,
  refusal,
  type ServiceStep,
  serviceBlock,
} from "../serviceBlock.ts"

const gmailBlockSchema = blockSchemaOf("gmail", {
  options: optional.named("GmailOptions", "The mail to send", {
    credentialsId: credentialsOption,
    action: actionOption(["Send email"]),
    to: optional.template("Recipients, separated by commas"),
    subject: optional.template("Subject"),
    body: optional.template("Body as plain text"),
    attachments: optional.variableId("Variable with addresses of files to attach"),
    label: optional.template("Id of the label that the sent mail gets"),
    from: optional.template("Sender: an address, or a name before the account's own address"),
    threadId: optional.template("Id of the thread that the mail belongs to"),
    replyTo: optional.template("Address for replies"),
    responseMapping: itemMappingSchema(["Message ID", "Thread ID"]),
  }),
}).meta({ id: "GmailBlock" })

type GmailAction = ActionOf<typeof gmailBlockSchema>

const api = "https://gmail.googleapis.com/gmail/v1/users/me"

export const gmailBlock = serviceBlock(gmailBlockSchema, {
  catalogue: {
    label: "Gmail",
    description: "Sends an email from a Gmail account",
    category: "communication",
    icon: "mails",
  },
  actions: {
    "Send email": {
      activity: "While sending a mail by Gmail",
      run: begin,
      resume: { http: answered, email: sent },
    },
  },
})

function begin(action: GmailAction): ServiceStep {
  const { options, raw, context } = action
  if (addressesIn(raw.to ?? "", context).length === 0) return refusal("The mail has no recipient")
  const [from] = addressesIn(raw.from ?? "", context).filter((one) => one.includes("@"))
  // A bare name precedes the account's own address, which must be requested.
  if (options.from && from === undefined) {
    const profile = { method: "GET", url: `${api}/profile`, headers: [bearer("accessToken")] }
    return request(action, profile, { carry: "profile" })
  }
  return send(action, from)
}

function send({ options, raw, credential, context }: GmailAction, from?: string): ServiceStep {
  const { subject, body, threadId } = options
  const replyTo = addressesIn(raw.replyTo ?? "", context).join(", ")
  const attachments = fileAddresses(options.attachments, context.variables)
  return calling({
    kind: "email",
    credential,
    to: addressesIn(raw.to ?? "", context),
    text: body ?? "",
    ...nonEmpty({ from, subject, replyTo, threadId, attachments }),
    // As in other mails, addresses from visitors may name only uploads.
    attachesOnlyUploads: context.variables.isPlain(options.attachments),
  })
}

function answered(action: GmailAction, { data }: Results["http"]): ServiceStep {
  if (action.context.carry !== "profile") return {}
  const address = pickText(data, "emailAddress")
  // Quoted, because a name may contain a comma.
  const name = action.options.from?.replace(/["\\]/g, "")
  return send(action, address && `"${name}" <${address}>`)
}

function sent(action: GmailAction, { messageId, threadId }: Results["email"]): ServiceStep {
  const { label, responseMapping } = action.options
  const set = mapItems(responseMapping, "Message ID", {
    "Message ID": messageId,
    "Thread ID": threadId,
  })
  if (!label || !messageId) return { set }
  const labelling = {
    method: "POST",
    url: `${api}/messages/${segment(messageId)}/modify`,
    headers: [bearer("accessToken")],
    body: json({ addLabelIds: [label] }),
  }
  return { set, ...request(action, labelling, { carry: "label" }) }
}

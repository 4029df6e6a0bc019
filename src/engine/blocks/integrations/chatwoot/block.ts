/** Hands the chat over to Chatwoot, or closes its widget. */
import type { z } from "zod"
import { optional } from "../../../schema/sharedMembers.ts"
import { clientScript } from "../../../variables/code.ts"
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import { interpolateUrl } from "../../../variables/interpolateUrl.ts"
import type { BlockContext, Step } from "../../block.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const chatwootBlockSchema = blockSchemaOf("Chatwoot", {
  options: optional.named("ChatwootOptions", "Options of the Chatwoot widget", {
    task: optional.oneOf("What to do", ["Show widget", "Close widget"], "Show widget"),
    baseUrl: optional.text("Address of the Chatwoot instance; default https://app.chatwoot.com"),
    websiteToken: optional.template("Token of the inbox"),
    user: optional.object("The visitor; used when id or email are given", {
      id: optional.template("Identifier of the contact"),
      email: optional.template("Mail address of the contact"),
      name: optional.template("Name of the contact"),
      avatarUrl: optional.template("Picture of the contact"),
      phoneNumber: optional.template("Phone number of the contact"),
    }),
  }),
}).meta({ id: "ChatwootBlock" })

type ChatwootBlock = z.infer<typeof chatwootBlockSchema>
export type ChatwootOptions = NonNullable<ChatwootBlock["options"]>

export const chatwootBlock = action(chatwootBlockSchema, {
  catalogue: {
    label: "Chatwoot",
    description: "Opens the Chatwoot widget, so that your team takes over, or closes it",
    category: "communication",
    icon: "messages-square",
    messengers: "none",
  },
  run({ options }, context) {
    if (options?.task === "Close widget") return act(closingScript, context)
    if (!context.chat.isPreview) return act(openingScript(options ?? {}, context), context)
    return {
      ...act("", context),
      log: [{ status: "info", description: "The widget of Chatwoot is not opened in a preview" }],
    }
  },
})

function act(script: string, context: BlockContext): Step {
  return {
    act: [{ type: "chatwoot", chatwoot: { scriptToExecute: clientScript(script, context) } }],
  }
}

const defaultBaseUrl = "https://app.chatwoot.com"

/** Closes the widget and hides its button. */
const closingScript = `if (window.$chatwoot) {
  window.$chatwoot.toggle("close")
  window.$chatwoot.toggleBubbleVisibility("hide")
}`

/** Loads the widget if needed, identifies the visitor, and opens it; tokens remain tokens. */
function openingScript(options: ChatwootOptions, context: BlockContext): string {
  const baseUrl = literal(options.baseUrl || defaultBaseUrl, context, interpolateUrl)
  const token = literal(options.websiteToken, context)
  return `const open = () => {
  ${identification(options.user, context)}
  const bot = window.Parley ?? window.Typebot
  if (bot && bot.unmount) bot.unmount()
  window.$chatwoot.toggle("open")
}
if (window.$chatwoot && window.$chatwoot.hasLoaded) open()
else {
  window.addEventListener("chatwoot:ready", open, { once: true })
  const baseUrl = ${baseUrl}
  const script = document.createElement("script")
  script.src = baseUrl + "/packs/js/sdk.js"
  script.async = true
  script.onload = () => window.chatwootSDK.run({ websiteToken: ${token}, baseUrl })
  document.head.append(script)
}`
}

function identification(user: ChatwootOptions["user"], context: BlockContext): string {
  const known = [user?.id, user?.email].flatMap((text) => (text ? literal(text, context) : []))
  if (!user || known.length === 0) return ""
  // Skips unset variables: with "undefined" as id all visitors would be one contact.
  const visitor = known.join(" || ")
  const members = [
    ["email", user.email, interpolate],
    ["name", user.name, interpolate],
    ["avatar_url", user.avatarUrl, interpolateUrl],
    ["phone_number", user.phoneNumber, interpolate],
  ] as const
  const given = members.flatMap(([name, value, fill]) =>
    value ? [`${name}: one(${literal(value, context, fill)})`] : [],
  )
  return `const one = (value) => {
    const last = Array.isArray(value) ? value[value.length - 1] : value
    return last === undefined || last === null ? undefined : String(last)
  }
  const visitor = one(${visitor})
  if (visitor) window.$chatwoot.setUser(visitor, { ${given.join(", ")} })`
}

/** A lone variable becomes an argument of the script; any other text has its values filled in. */
function literal(
  text: string | undefined,
  context: BlockContext,
  fill: (text: string | undefined, context: BlockContext) => string = interpolate,
): string {
  const name = singleToken(text)
  const isKnown = name !== undefined && context.variables.named(name) !== undefined
  return isKnown ? (text ?? "") : quote(fill(text, context))
}

// Text that looks like a token within a value must stay text.
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("{", "\\u007b")
}

/** Writes the scripts that open and close the widget of Chatwoot (its web SDK, version 3). */
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import type { BlockContext } from "../../block.ts"
import type { ChatwootOptions } from "./schema.ts"

const defaultBaseUrl = "https://app.chatwoot.com"

/** Closes the widget and hides its button. */
export const closingScript = `if (window.$chatwoot) {
  window.$chatwoot.toggle("close")
  window.$chatwoot.toggleBubbleVisibility("hide")
}`

/** Loads the widget if need be, says who is writing, and opens it; tokens stay in it as tokens. */
export function openingScript(options: ChatwootOptions, context: BlockContext): string {
  const baseUrl = literal(options.baseUrl || defaultBaseUrl, context)
  const token = literal(options.websiteToken, context)
  return `const open = () => {
  ${[identification(options.user, context), attributes(context)].filter(Boolean).join("\n  ")}
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

function identification(user: ChatwootOptions["user"], context: BlockContext): string | undefined {
  const identifier = user?.id || user?.email
  if (!identifier) return undefined
  const members = [
    ["email", user.email],
    ["name", user.name],
    ["avatar_url", user.avatarUrl],
    ["phone_number", user.phoneNumber],
  ].flatMap(([name, value]) => (value ? [`${name}: ${literal(value, context)}`] : []))
  return `window.$chatwoot.setUser(String(${literal(identifier, context)}), { ${members.join(", ")} })`
}

function attributes(context: BlockContext): string | undefined {
  const { resultUrl } = context.chat
  if (!resultUrl) return undefined
  return `window.$chatwoot.setCustomAttributes({ result_url: ${quote(resultUrl)} })`
}

/** A lone variable becomes an argument of the script; anything else a text with its values. */
function literal(text: string | undefined, context: BlockContext): string {
  return singleToken(text) === undefined ? quote(interpolate(text, context)) : (text ?? "")
}

// What looks like a token within a value must not be read as one.
function quote(text: string): string {
  return JSON.stringify(text).replaceAll("{", "\\u007b")
}

/** Writes the body of a mail: the author's own, or a list of what the chat has learned. */
import { interpolate, singleToken } from "../../../variables/interpolate.ts"
import type { BlockContext } from "../../block.ts"
import { collectedValues } from "../answersObject.ts"
import type { EmailOptions } from "./schema.ts"

/** The body as HTML or as plain text. */
export function bodyOf(
  options: EmailOptions,
  context: BlockContext,
): { html: string } | { text: string } {
  const { isCustomBody, isBodyCode, body } = options
  if (isCustomBody !== true && (isCustomBody === false || !body)) return { html: summary(context) }
  const written = ownBody(body ?? "", isBodyCode === true, context)
  return isBodyCode ? { html: written } : { text: written }
}

function ownBody(body: string, isCode: boolean, context: BlockContext): string {
  const name = singleToken(body)
  const value = name === undefined ? undefined : context.variables.named(name)?.value
  if (value === undefined || value === null)
    return interpolate(body, context, isCode ? "value" : "html")
  const text = Array.isArray(value) ? value.join("\n") : value
  return text.replaceAll("\n", "<br />")
}

function summary(context: BlockContext): string {
  const rows = Object.entries(collectedValues(context)).map(
    ([name, value]) => `<dt><b>${escapeHtml(name)}</b></dt><dd>${escapeHtml(value)}</dd>`,
  )
  const { resultUrl } = context.chat
  const link = resultUrl ? `<p><a href="${escapeHtml(resultUrl)}">See the result</a></p>` : ""
  return `<h1>New answers</h1><dl>${rows.join("")}</dl>${link}`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "<br />")
}

/** Fills the values of variables into a plain text of the author that the bot says. */

import { escapingUnits, spend } from "../budget/fuel.ts"
import { valueLeaf } from "../richText/provenance.ts"
import { toMarkdown } from "../richText/toMarkdown.ts"
import { interpolate } from "../variables/interpolate.ts"
import { templateOf } from "../variables/template.ts"
import type { BlockContext } from "./block.ts"

/**
 * The text with its tokens and inline code replaced. Values are no Markdown here: in an answer in
 * Markdown they are escaped, so that they read as they do in rich text.
 */
export function interpolateText(text: string | undefined, context: BlockContext): string {
  if (!text || context.chat.textFormat !== "markdown") return interpolate(text, context)
  const leaves = templateOf(text).map((part) => {
    if (typeof part === "string") return { text: part }
    const token = "name" in part ? `{{${part.name}}}` : `{{=${part.source}=}}`
    const value = interpolate(token, context)
    spend(context.fuel, escapingUnits(value.length))
    return valueLeaf(value)
  })
  return toMarkdown([{ type: "p", children: leaves }])
}

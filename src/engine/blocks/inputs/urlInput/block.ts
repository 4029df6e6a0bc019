/** Asks for a web address and keeps it as typed. */
import isURL from "validator/lib/isURL.js"
import type { Input } from "../../block.ts"
import { askPrefilled, typedText } from "../asking.ts"
import { type UrlInputBlock, urlInputBlockSchema } from "./schema.ts"

/** The type `url input`. */
export const urlInputBlock: Input<UrlInputBlock> = {
  kind: "input",
  schema: urlInputBlockSchema,
  replyName: "url",
  takesOpeningMessage: true,
  ask: askPrefilled,
  reply: (_block, message) => {
    const text = typedText(message)
    return text !== undefined && isWebAddress(text) ? { accept: text } : "retry"
  },
}

/** Whether a text is an address of the web by the rules of validator 13, its scheme optional. */
function isWebAddress(text: string): boolean {
  return isURL.default(text, { protocols: ["http", "https"] })
}

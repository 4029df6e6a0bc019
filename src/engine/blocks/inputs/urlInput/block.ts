/** Asks for a web address and keeps it as typed. */
import type { Input } from "../../block.ts"
import { ownRetryText, prefilledAsk, typedText } from "../asking.ts"
import { isWebAddress } from "../webAddress.ts"
import { type UrlInputBlock, urlInputBlockSchema } from "./schema.ts"

/** The type `url input`. */
export const urlInputBlock: Input<UrlInputBlock> = {
  kind: "input",
  schema: urlInputBlockSchema,
  replyName: "url",
  takesOpeningMessage: true,
  savesTo: (block) => block.options?.variableId,
  ask: (block, context) => prefilledAsk(block.options, context),
  reply: (_block, message) => {
    const text = typedText(message)
    return text !== undefined && isWebAddress(text) ? { accept: text } : "retry"
  },
  retryText: (block, context) => ownRetryText(block.options, context),
}

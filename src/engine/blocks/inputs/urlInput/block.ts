/** Asks for a web address and keeps it as typed. */
import isURL from "validator/lib/isURL.js"
import { typedInput } from "../asking.ts"
import { urlInputBlockSchema } from "./schema.ts"

/** The type `url input`. */
export const urlInputBlock = typedInput(urlInputBlockSchema, {
  replyName: "url",
  accept: (typed) => (isWebAddress(typed) ? typed : undefined),
})

/** Whether a text is an address of the web by the rules of validator 13, its scheme optional. */
function isWebAddress(text: string): boolean {
  return isURL.default(text, { protocols: ["http", "https"] })
}

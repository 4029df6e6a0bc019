/** Asks for an email address. */
import { texts } from "../../../texts.ts"
import type { Input } from "../../block.ts"
import { askPrefilled, typedText } from "../asking.ts"
import { type EmailInputBlock, emailInputBlockSchema } from "./schema.ts"

/** The type `email input`. */
export const emailInputBlock: Input<EmailInputBlock> = {
  kind: "input",
  schema: emailInputBlockSchema,
  replyName: "email",
  takesOpeningMessage: true,
  ask: askPrefilled,
  reply: (_block, message) => {
    const text = typedText(message)
    if (text === undefined || !isEmailAddress(text)) return "retry"
    return { accept: text.toLowerCase() }
  },
  retryText: texts.invalidEmail,
}

/**
 * The pattern that web forms commonly use. A repeated part never begins with what may follow it,
 * so that the time it takes grows with the length of the text and not faster.
 */
function isEmailAddress(text: string): boolean {
  return emailPattern.test(text)
}

const atom = String.raw`[^<>()[\]\\.,;:\s@"]+`
const localPart = String.raw`(?:${atom}(?:\.${atom})*|".+")`
const host = String.raw`(?:(?:[a-z0-9-]+\.)+[a-z]{2,}|\[(?:[0-9]{1,3}\.){3}[0-9]{1,3}\])`
const emailPattern = new RegExp(`^${localPart}@${host}$`, "i")

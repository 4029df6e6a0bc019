/** The typed words of a reply. */
import type { Message } from "../../schema/message.ts"

/** The text; undefined when there is no message or it is not a text. */
export function typedText(message: Message | undefined): string | undefined {
  return message?.type === "text" ? message.text : undefined
}

/** Hands the chat over to Chatwoot, or closes its widget. */

import { clientScript } from "../../../variables/code.ts"
import type { BlockContext, Step } from "../../block.ts"
import { action } from "../../defineBlock.ts"
import { chatwootBlockSchema } from "./schema.ts"
import { closingScript, openingScript } from "./script.ts"

export const chatwootBlock = action(chatwootBlockSchema, {
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

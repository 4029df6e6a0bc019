/** Hands the chat over to Chatwoot, or closes its widget. */
import { clientScript } from "../../../variables/code.ts"
import type { Action, Scene, Step } from "../../block.ts"
import { type ChatwootBlock, chatwootBlockSchema } from "./schema.ts"
import { closingScript, openingScript } from "./script.ts"

export const chatwootBlock: Action<ChatwootBlock> = {
  kind: "action",
  schema: chatwootBlockSchema,
  run({ options }, scene) {
    if (options?.task === "Close widget") return act(closingScript, scene)
    if (!scene.chat.isPreview) return act(openingScript(options ?? {}, scene), scene)
    return {
      ...act("", scene),
      log: [{ status: "info", description: "The widget of Chatwoot is not opened in a preview" }],
    }
  },
}

function act(script: string, scene: Scene): Step {
  return {
    act: [{ type: "chatwoot", chatwoot: { scriptToExecute: clientScript(script, scene) } }],
  }
}

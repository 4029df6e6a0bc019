/** Runs JavaScript of the author, at the client or in the sandbox. */
import { isFailure } from "../../../calls.ts"
import { defined } from "../../../presentMembers.ts"
import { clientScript, namedAssignments, serverScript } from "../../../variables/code.ts"
import type { Action } from "../../block.ts"
import { type ScriptBlock, scriptBlockSchema } from "./schema.ts"

export const scriptBlock: Action<ScriptBlock, "script"> = {
  kind: "action",
  schema: scriptBlockSchema,
  flagUnsafe,
  unfilled: ["name"],
  run: (block, context) => {
    const { content, isExecutedOnClient = true, isUnsafe } = block.options ?? {}
    if (!content?.trim()) return {}
    if (!isExecutedOnClient) {
      const scripts = [serverScript(content, context, "program")]
      return { next: { call: { kind: "script", scripts } } }
    }
    const scriptToExecute = { ...clientScript(content, context), ...defined({ isUnsafe }) }
    return { act: [{ type: "scriptToExecute", scriptToExecute }] }
  },
  resume: {
    script: (_block, { results }, context) => {
      const [result] = results
      if (!result) return {}
      if (isFailure(result)) {
        const { description, details } = result
        return {
          log: [{ context: "While executing function", description, ...defined({ details }) }],
        }
      }
      const set = namedAssignments(result.assigned, context)
      return set.length > 0 ? { set } : {}
    },
  },
}

/** Of untrusted imports: `isUnsafe` as it runs in the user's browser, which is the default, or not. */
function flagUnsafe(block: ScriptBlock): ScriptBlock {
  const isUnsafe = block.options?.isExecutedOnClient !== false
  return { ...block, options: { ...block.options, isUnsafe } }
}

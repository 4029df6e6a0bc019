/** Runs JavaScript of the author, at the client or in the sandbox. */

import { defined } from "../../../../lib/presentMembers.ts"
import { isFailure } from "../../../calls.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { clientScript, namedAssignments, serverScript } from "../../../variables/code.ts"
import { action, blockSchemaOf } from "../../defineBlock.ts"

const scriptBlockSchema = blockSchemaOf("Code", {
  options: optional.object("The script and where it runs", {
    name: optional.text("Name for the author"),
    content: optional.hinted(
      "JavaScript, body of an async function; {{variables}} stand for their values",
      { code: "javascript", template: true },
    ),
    isExecutedOnClient: optional.flag(
      "Whether the client runs it, or a sandbox of the service",
      true,
    ),
    isUnsafe: optional.flag("Whether it came with an import"),
    shouldExecuteInParentContext: optional.flag("Obsolete, ignored").meta({ deprecated: true }),
  }),
}).meta({ id: "ScriptBlock" })

export const scriptBlock = action(scriptBlockSchema, {
  catalogue: {
    label: "Script",
    description: "Runs JavaScript in the browser of the visitor or on the server",
    category: "logic",
    icon: "code",
    messengers: "reduced",
  },
  flagUnsafe: (block) => {
    const isUnsafe = block.options?.isExecutedOnClient !== false
    return { ...block, options: { ...block.options, isUnsafe } }
  },
  unfilled: ["name"],
  codes: ({ options: { content = "", isExecutedOnClient = true } = {} }) => [
    { at: ["options", "content"], code: content, mode: "program", isAtClient: isExecutedOnClient },
  ],
  run: (block, context) => {
    const { content, isExecutedOnClient = true, isUnsafe } = block.options ?? {}
    if (!content?.trim()) return {}
    if (!isExecutedOnClient) {
      const scripts = [serverScript(content, context)]
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
        const activity = "While executing function"
        return { log: [{ context: activity, description, ...defined({ details }) }] }
      }
      return { set: namedAssignments(result.assigned, context) }
    },
  },
})

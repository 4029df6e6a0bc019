/** Runs JavaScript of the author, at the client or in the sandbox. */
import { isFailure } from "../../../calls.ts"
import { defined } from "../../../presentMembers.ts"
import { optional } from "../../../schema/members.ts"
import { clientScript, namedAssignments, serverScript } from "../../../variables/code.ts"
import { blockSchemaOf } from "../../blockSchema.ts"
import { action } from "../../defineBlock.ts"

const scriptBlockSchema = blockSchemaOf("Code", "A script", {
  options: optional.object("The script and where it runs", {
    name: optional.text("Name for the author"),
    content: optional.text(
      "JavaScript, body of an async function; {{variables}} stand for their values",
    ),
    isExecutedOnClient: optional.flag(
      "Whether the client runs it, or a sandbox of the service; default true",
    ),
    isUnsafe: optional.flag("Whether it came with an import"),
    shouldExecuteInParentContext: optional.flag("Obsolete, ignored"),
  }),
}).meta({ id: "ScriptBlock", description: "Runs JavaScript of the author" })

export const scriptBlock = action(scriptBlockSchema, {
  flagUnsafe: (block) => {
    const isUnsafe = block.options?.isExecutedOnClient !== false
    return { ...block, options: { ...block.options, isUnsafe } }
  },
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
      return { set: namedAssignments(result.assigned, context) }
    },
  },
})

/** Bots that assistants may call. */
import { type Violation, warning } from "../finding.ts"

export const incompleteTool = warning({
  id: "incomplete-tool",
  description:
    "A bot that is a tool has a description, and returns variables that results may keep.",
  remedy:
    "Describe in the settings what the tool does and when to call it, and let it return no session variable.",
  check({ flow }) {
    const { isTool, toolDescription, toolVariableIds = [] } = flow.settings.general ?? {}
    if (!isTool) return []
    const found: Violation[] = []
    if (!toolDescription?.trim()) {
      const message = "Assistants get no description of the tool, so they cannot choose it"
      found.push({ path: ["settings", "general"], message })
    }
    const hidden = new Map(
      flow.variables.flatMap(({ id, name, isSessionVariable }) =>
        isSessionVariable ? [[id, name] as const] : [],
      ),
    )
    for (const [index, id] of toolVariableIds.entries()) {
      const name = hidden.get(id)
      if (name === undefined) continue
      const message = `The session variable "${name}" is never returned`
      found.push({ path: ["settings", "general", "toolVariableIds", index], message })
    }
    return found
  },
})

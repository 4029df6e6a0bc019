/** Blocks and events refer only to variables that the bot has. */
import type { Found, Rule } from "../finding.ts"

/** A value that is read from nowhere, or an answer that is lost. */
export const unknownVariableId: Rule = {
  id: "unknown-variable-id",
  severity: "warning",
  description: "Every reference to a variable is the id of one.",
  remedy: "Choose the variable anew.",
  check({ flow, variableIds }) {
    const ids = new Set(flow.variables.map(({ id }) => id))
    const found: Found[] = []
    for (const { path, text, site } of variableIds) {
      if (text === "" || ids.has(text) || site?.type.isUnknown) continue
      found.push({ path, message: `There is no variable with the id "${text}"` })
    }
    return found
  },
}

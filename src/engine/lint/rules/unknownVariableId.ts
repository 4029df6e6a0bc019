/** Blocks and events refer only to variables that the bot has. */
import type { Rule } from "../finding.ts"

/** A value that is read from nowhere, or an answer that is lost. */
export const unknownVariableId: Rule = {
  id: "unknown-variable-id",
  severity: "warning",
  description: "Every reference to a variable is the id of one.",
  remedy: "Choose the variable anew.",
  check({ flow, texts }) {
    const ids = new Set(flow.variables.map(({ id }) => id))
    return texts.flatMap(({ path, text, site }) => {
      const isReference = /variableId$/i.test(String(path.at(-1)))
      if (!isReference || text === "" || ids.has(text) || site?.type.isUnknown) return []
      return [{ path, message: `There is no variable with the id "${text}"` }]
    })
  },
}

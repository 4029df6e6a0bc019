/** Texts name only variables that the bot has. */
import type { Rule } from "../finding.ts"

/** A `{{name}}` that prints nothing. */
export const unknownVariable: Rule = {
  id: "unknown-variable",
  severity: "warning",
  description: "Every {{name}} in a text is the exact name of a variable.",
  remedy: "Correct the name, upper and lower case and spaces included, or add the variable.",
  check({ flow, texts }) {
    const names = new Set(flow.variables.map(({ name }) => name))
    const alike = new Map(flow.variables.map(({ name }) => [folded(name), name]))
    return texts.flatMap(({ path, tokens, isFilled }) => {
      if (!isFilled) return []
      return tokens.flatMap((token) => {
        if (names.has(token)) return []
        const meant = alike.get(folded(token))
        const hint = meant === undefined ? "" : `; there is "${meant}"`
        return [{ path, message: `There is no variable "${token}"${hint}` }]
      })
    })
  },
}

function folded(name: string): string {
  return name.trim().toLowerCase()
}

/** Texts name only variables that the bot has. */
import type { Found, Rule } from "../finding.ts"

/** A `{{name}}` that prints nothing. */
export const unknownVariable: Rule = {
  id: "unknown-variable",
  severity: "warning",
  description: "Every {{name}} in a text is the exact name of a variable.",
  remedy: "Correct the name, upper and lower case and spaces included, or add the variable.",
  check({ flow, texts }) {
    const names = new Set(flow.variables.map(({ name }) => name))
    const alike = new Map(flow.variables.map(({ name }) => [folded(name), name]))
    const found: Found[] = []
    for (const { path, tokens, isFilled } of texts) {
      if (!isFilled) continue
      for (const token of tokens) {
        if (names.has(token)) continue
        const meant = alike.get(folded(token))
        const hint = meant === undefined ? "" : `; there is "${meant}"`
        found.push({ path, message: `There is no variable "${token}"${hint}` })
      }
    }
    return found
  },
}

function folded(name: string): string {
  return name.trim().toLowerCase()
}

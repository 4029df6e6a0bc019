/** Every variable is used. */
import type { Rule } from "../finding.ts"

/** A variable that nothing reads or sets. */
export const unusedVariable: Rule = {
  id: "unused-variable",
  severity: "warning",
  description: "Something in the flow reads or sets every variable.",
  remedy: "Delete the variable, unless chats are started with it or a linked bot uses it.",
  check({ flow, texts }) {
    const ids = new Set<string>()
    const names = new Set<string>()
    const longest = Math.max(0, ...flow.variables.map(({ id }) => id.length))
    for (const { path, text, tokens } of texts) {
      if (path[0] === "variables") continue
      // Whatever equals an id counts as one: that serves types nobody knows, too.
      if (text.length <= longest) ids.add(text)
      for (const name of tokens) names.add(name)
      for (const name of setByCode(text)) names.add(name)
    }
    return flow.variables.flatMap(({ id, name }, index) =>
      ids.has(id) || names.has(name)
        ? []
        : [{ path: ["variables", index], message: `Nothing uses the variable "${name}"` }],
    )
  },
}

/** Names of variables that scripts set by `setVariable("name", ...)`. */
function setByCode(text: string): string[] {
  if (!text.includes("setVariable")) return []
  return [...text.matchAll(/setVariable\(\s*(["'`])([^"'`]{1,255})\1/g)].map(
    ([, , name]) => name ?? "",
  )
}

/** Every variable is used. */
import type { Rule } from "../finding.ts"

/** A variable that nothing reads or sets. */
export const unusedVariable: Rule = {
  id: "unused-variable",
  severity: "warning",
  description: "Something in the flow reads or sets every variable.",
  remedy: "Delete the variable, unless chats are started with it or a linked bot uses it.",
  check({ flow, texts, namedIds }) {
    const names = new Set<string>()
    for (const { path, text, tokens } of texts) {
      if (path[0] === "variables") continue
      for (const name of tokens) names.add(name)
      // Capitals are rare, and therefore found fast.
      if (text.includes("Variable(")) for (const name of setByCode(text)) names.add(name)
    }
    return flow.variables.flatMap(({ id, name }, index) =>
      // Whatever equals an id counts as one: that serves types nobody knows, too.
      namedIds.has(id) || names.has(name)
        ? []
        : [{ path: ["variables", index], message: `Nothing uses the variable "${name}"` }],
    )
  },
}

/** Names of variables that scripts set by `setVariable("name", ...)`. */
function setByCode(text: string): string[] {
  return [...text.matchAll(/setVariable\(\s*(["'`])([^"'`]{1,255})\1/g)].map(
    ([, , name]) => name ?? "",
  )
}

/** Names of variables are unique. */
import type { Rule } from "../finding.ts"

/** A second variable of the same name, which texts never mean. */
export const duplicateVariable: Rule = {
  id: "duplicate-variable",
  severity: "warning",
  description: "No two variables have the same name; {{name}} always means the first.",
  remedy: "Rename one of them, or use one in place of the other.",
  check({ flow }) {
    const names = new Set<string>()
    return flow.variables.flatMap(({ name }, index) => {
      if (!names.has(name)) {
        names.add(name)
        return []
      }
      const message = `Another variable before this one is called "${name}", too`
      return [{ path: ["variables", index, "name"], message }]
    })
  },
}

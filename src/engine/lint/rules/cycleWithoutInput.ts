/** Wherever a flow goes round, it waits for its user on the way. */
import type { Rule } from "../finding.ts"
import { endlessKnots } from "../paths.ts"

/** A ring that a chat may run through until it is stopped. */
export const cycleWithoutInput: Rule = {
  id: "cycle-without-input",
  severity: "warning",
  description: "Every ring of connections has a block that waits for the user.",
  remedy: "Ask something within the ring, or make sure that a condition leaves it soon.",
  check: (subject) =>
    endlessKnots(subject).flatMap((knot) => {
      const [first] = knot
      if (!first) return []
      const titles = [...new Set(knot.map(({ group }) => `"${group.title}"`))]
      const shown = titles.slice(0, 5).join(", ") + (titles.length > 5 ? ", …" : "")
      const message = `The flow can go round through ${shown} without ever asking anything`
      return [{ path: first.path, message }]
    }),
}

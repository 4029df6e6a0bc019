/** Code that fails whenever it runs. */
import { unmetered } from "../../../engine/budget/fuel.ts"
import { withReturn } from "../../../engine/variables/code.ts"
import { identifierOf } from "../../../engine/variables/identifier.ts"
import { inlineCodesIn, interpolate, tokensIn } from "../../../engine/variables/interpolate.ts"
import { createVariables } from "../../../engine/variables/variables.ts"
import { memoize } from "../../../lib/memoize.ts"
import { type CodeMode, syntaxError, unknownNames } from "../codeParts.ts"
import { error, type Violation, warning } from "../finding.ts"
import type { LintContext } from "../lintContext.ts"
import type { Path } from "../location.ts"
import { mayReach } from "../reach.ts"

export const invalidCode = error({
  id: "invalid-code",
  description: "All code, inline code included, is valid JavaScript.",
  remedy: "Correct the code: look for missing brackets, quotes and commas.",
  check: (context) =>
    codesIn(context).flatMap(({ path, code, mode }): Violation[] => {
      const reason = syntaxError(code, mode)
      return reason === undefined
        ? []
        : [{ path, message: `The code has a syntax error: ${reason}` }]
    }),
})

export const unknownName = warning({
  id: "unknown-name",
  description: "Code that the service runs uses only names that exist there.",
  remedy: "Correct the name, write {{name}} for a variable, or run the code in the browser.",
  check(context) {
    const known = new Set(context.flow.variables.map(({ id }) => identifierOf(id)))
    let left = maxCode
    return codesIn(context).flatMap(({ path, code, mode, isAtClient }): Violation[] => {
      left -= code.length
      if (isAtClient || left < 0) return []
      return unknownNames(code, mode, known).map((name) => {
        return { path, message: `The code uses "${name}", which does not exist` }
      })
    })
  },
})

/** Max characters of a flow's code whose names are checked. */
const maxCode = 50_000

/** A piece of code in executable form. */
type FlowCode = { path: Path; code: string; mode: CodeMode; isAtClient: boolean }

/** The code of a flow that chats may reach, variables replaced by their names in code. */
const codesIn = memoize((context: LintContext): FlowCode[] => {
  const { flow, blocks, texts } = context
  const scope = {
    variables: createVariables(flow.variables, [], unmetered()),
    fuel: unmetered(),
    inline: () => undefined,
  }
  const names = new Set(flow.variables.map(({ name }) => name))
  // An unknown variable leaves a gap, and may come from a linked bot.
  const isComplete = (text: string) => tokensIn(text).every((name) => names.has(name))
  const own = blocks.flatMap((entry) =>
    (entry.type.codes?.(entry.block) ?? []).flatMap(({ at, code, ...how }): FlowCode[] =>
      isComplete(code) && mayReach(context, entry)
        ? [{ path: [...entry.path, ...at], code: interpolate(code, scope, "id"), ...how }]
        : [],
    ),
  )
  const inline = texts.flatMap(({ path, text, isFilled, entry }): FlowCode[] => {
    if (!isFilled || !text.includes("{{=") || (entry && !mayReach(context, entry))) return []
    return inlineCodesIn({ text }).flatMap((source) => {
      if (!isComplete(source)) return []
      const code = withReturn(interpolate(source, scope, "id"))
      return { path, code, mode: "expression" as const, isAtClient: false }
    })
  })
  return [...own, ...inline]
})

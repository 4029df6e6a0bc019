/** All values of the chat as one flat object: the default content of requests and mails. */
import { spend, textUnits } from "../../budget/fuel.ts"
import type { BlockContext } from "../block.ts"

/**
 * Answers by their keys, then variables by their names, which win; lists are joined by commas.
 * `submittedAt` is the current time in ISO 8601.
 */
export function answersObject(context: BlockContext): Record<string, string> {
  return {
    submittedAt: new Date(context.world.now()).toISOString(),
    ...collectedValues(context),
  }
}

/** The same without the time. */
export function collectedValues(context: BlockContext): Record<string, string> {
  const variables = context.variables.list().flatMap(({ name, value }): [string, string][] => {
    if (value === undefined || value === null) return []
    return [[name, Array.isArray(value) ? value.join(",") : value]]
  })
  const pairs = [...context.answers(), ...variables]
  for (const [name, value] of pairs) spend(context.fuel, textUnits(name.length + value.length))
  return Object.fromEntries(pairs)
}

/** Finds inline code `{{=...=}}` in a block and makes scripts of it. */

import { type Fuel, spend, textUnits } from "../budget/fuel.ts"
import type { Script } from "../calls.ts"
import { memoize } from "../memoize.ts"
import { scriptWith, withReturn } from "./code.ts"
import { identifierOf } from "./identifier.ts"
import { interpolate } from "./interpolate.ts"
import type { Scope, Variables } from "./scope.ts"
import { templateOf } from "./template.ts"

/**
 * The sources of all inline code in the texts of a structure, each once, in order. A block of an
 * immutable version is searched once, however many chats pass it.
 */
export const inlineCodesIn = memoize((structure: object): readonly string[] => {
  const sources = new Set<string>()
  const search = (value: unknown) => {
    if (typeof value === "string") {
      if (!value.includes("{{=")) return
      for (const part of templateOf(value)) {
        if (typeof part !== "string" && "source" in part) sources.add(part.source)
      }
    } else if (typeof value === "object" && value !== null) {
      for (const member of Object.values(value)) search(member)
    }
  }
  search(structure)
  return sources.size === 0 ? none : [...sources]
})

const none: readonly string[] = []

/** The script of one inline expression; it may use every variable under its id. */
export function inlineScript(source: string, variables: Variables, fuel: Fuel): Script {
  const scope: Scope = { variables, fuel, inline: () => undefined }
  const code = withReturn(interpolate(source, scope, "id"))
  // A variable whose id does not occur cannot be used, and large lists are expensive to hand over.
  const known = variables.list()
  spend(fuel, 2 * known.length * textUnits(code.length))
  const used = known.filter(({ id }) => code.includes(identifierOf(id)))
  return { ...scriptWith(code, used), mode: "expression" }
}

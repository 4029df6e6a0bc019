/** Shows a block without the values of session variables, which nothing keeps. */
import type { BlockContext } from "../blocks/block.ts"
import type { Variable } from "../schema/variable.ts"
import { identifierOf } from "../variables/identifier.ts"
import { tokensIn } from "../variables/interpolate.ts"
import type { Variables } from "../variables/scope.ts"

/** A context in which values are missing, and whether one of them was asked for. */
export type Hiding = { context: BlockContext; wasAsked(): boolean }

/** The context with texts as rich text, and without the values of the variables that are hidden. */
export function hide(context: BlockContext, isHidden: (variable: Variable) => boolean): Hiding {
  const { variables: all, chat } = context
  let wasAsked = false
  const without = (variable: Variable | undefined): Variable | undefined => {
    const value = variable?.value ?? null
    if (!variable || value === null || !isHidden(variable)) return variable
    wasAsked = true
    return { ...variable, value: null }
  }
  const variables: Variables = {
    value: (id) => without(all.definition(id))?.value ?? undefined,
    definition: (id) => without(all.definition(id)),
    named: (name) => without(all.named(name)),
    list: () => all.list().flatMap((variable) => without(variable) ?? []),
  }
  const inline = (source: string) => {
    const names = tokensIn(source)
    const used = all.list().filter(({ id, name }) => {
      return names.includes(name) || source.includes(identifierOf(id))
    })
    const isTold = used.map(without).every((variable, index) => variable === used[index])
    return isTold ? context.inline(source) : { value: null }
  }
  const plain = { ...chat, textFormat: "richText" as const }
  return { context: { ...context, chat: plain, variables, inline }, wasAsked: () => wasAsked }
}

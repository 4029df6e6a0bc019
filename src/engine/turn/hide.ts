/** Renders a block without the values of session variables, which are never stored. */
import type { BlockContext } from "../blocks/block.ts"
import type { Variable } from "../schema/variable.ts"
import { identifierOf } from "../variables/identifier.ts"
import { tokensIn } from "../variables/interpolate.ts"
import type { Variables } from "../variables/scope.ts"

/** A context without hidden values, which knows whether the block asked for one. */
export type HidingContext = { context: BlockContext; wasAsked(): boolean }

/** The same context, with rich text output and without the values of hidden variables. */
export function hide(
  context: BlockContext,
  isHidden: (variable: Variable) => boolean,
): HidingContext {
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
    isPlain: (id) => all.isPlain(id),
    definition: (id) => without(all.definition(id)),
    named: (name) => without(all.named(name)),
    list: () => all.list().flatMap((variable) => without(variable) ?? []),
  }
  const inline = (source: string) => {
    const names = tokensIn(source)
    const used = all.list().filter(({ id, name }) => {
      return names.includes(name) || source.includes(identifierOf(id))
    })
    const isVisible = used.map(without).every((variable, index) => variable === used[index])
    return isVisible ? context.inline(source) : { value: null }
  }
  const plain = { ...chat, textFormat: "richText" as const }
  return { context: { ...context, chat: plain, variables, inline }, wasAsked: () => wasAsked }
}

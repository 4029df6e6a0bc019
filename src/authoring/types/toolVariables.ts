/** The variables that assistants set when they call a bot as a tool. */
import type { Bot } from "../../engine/bot.ts"
import { mentionLength } from "../../lib/cut.ts"
import { firstBy } from "../../lib/groupBy.ts"
import { memoize } from "../../lib/memoize.ts"
import { type BlockEntry, blocksIn } from "../lint/blockEntries.ts"
import { type FlowTexts, textsOf } from "../lint/flowTexts.ts"
import { setByCode } from "../lint/rules/names.ts"
import { isSecretName } from "../secrets/secretNames.ts"

export type ToolVariable = {
  name: string
  /** The flow reads it, and neither sets it nor gives it a value: only the caller can. */
  isRequired: boolean
}

/** More would fill the memory of the models that read them. */
const maxVariables = 50

/**
 * The prefilled variables of a bot for assistants: those that `parley types` lists, without session variables
 * and secrets. Of more than fifty the required ones come first.
 */
export const toolVariables = memoize(({ flow }: Bot): readonly ToolVariable[] => {
  const blocks = blocksIn(flow)
  const texts = textsOf(flow, blocks)
  const { read, set } = usesIn(blocks, texts)
  const hidden = new Set(blocks.map(({ block, type }) => type.hides?.(block)))
  const open = flow.variables.filter(
    ({ id, name, isSessionVariable }) =>
      !isSessionVariable && !hidden.has(id) && name.length <= mentionLength && !isSecretName(name),
  )
  const variables = [...firstBy(open, ({ name }) => name).values()].map(({ id, name, value }) => {
    const isKnown = set.has(id) || set.has(name) || (value ?? null) !== null
    return { name, isRequired: !isKnown && (read.has(id) || read.has(name)) }
  })
  const [required, others] = [true, false].map((is) =>
    variables.filter(({ isRequired }) => isRequired === is),
  )
  return [...(required ?? []), ...(others ?? [])].slice(0, maxVariables)
})

/** Ids and names of the variables that blocks read, and of those that they set. */
function usesIn(blocks: readonly BlockEntry[], { texts }: FlowTexts) {
  const read = new Set<string>()
  const compared = new Map(
    blocks.map((entry) => [entry, new Set(entry.type.mentions?.(entry.block).variableIds)]),
  )
  for (const ids of compared.values()) for (const id of ids) if (id) read.add(id)
  const set = new Set<string>()
  for (const { path, text, tokens, entry } of texts) {
    if (path[0] === "variables" || !entry) continue
    for (const name of tokens) read.add(name)
    for (const name of setByCode(text)) set.add(name)
    const isTarget = /[vV]ariableId$/.test(String(path.at(-1))) && !compared.get(entry)?.has(text)
    if (isTarget) set.add(text)
  }
  return { read, set }
}

/** Applies edits to a draft: all or none. */
import type { Members } from "../../lib/json.ts"
import type { Draft } from "./draft.ts"
import { putEdge, removeEdge } from "./edgeEdits.ts"
import { EditProblem, type Refuse } from "./editProblem.ts"
import type { Edit, EditOf } from "./editSchema.ts"
import { elementsTouched } from "./elementsOf.ts"
import { checkStart, putEvent, removeEvent } from "./eventEdits.ts"
import { moveBlock, putBlock, putGroup, removeBlock, removeGroup } from "./groupEdits.ts"
import { mergePatch, patchesBetween } from "./mergePatch.ts"
import { openDraft, type WorkingDraft } from "./workingDraft.ts"
import { putInto } from "./workingList.ts"

/** Max edits per call of the service; inverses may be more. */
export const maxEdits = 500

export type Applied<D> = {
  draft: D
  /** The edits that undo them, in the order to apply them. */
  inverses: Edit[]
  /** The distinct elements touched, named as by `elementsOf`. */
  elements: string[]
}

type Apply<Type extends Edit["type"]> = (
  work: WorkingDraft,
  edit: EditOf<Type>,
  refuse: Refuse,
) => Edit[]

const appliers: { [Type in Edit["type"]]: Apply<Type> } = {
  "group.put": putGroup,
  "group.remove": removeGroup,
  "block.put": putBlock,
  "block.move": moveBlock,
  "block.remove": removeBlock,
  "edge.put": putEdge,
  "edge.remove": removeEdge,
  "variable.put": ({ variables }, { variable, index }) => {
    const former = variables.find(variable.id)
    const moved = putInto(variables, { element: variable, former, index })
    if (!former) return [{ type: "variable.remove", variableId: variable.id }]
    return [{ type: "variable.put", variable: former, ...moved }]
  },
  "variable.remove": ({ variables }, { variableId }, refuse) => {
    const variable = variables.find(variableId)
    if (!variable) throw refuse(`variable:${variableId}`, `Variable "${variableId}" does not exist`)
    return [{ type: "variable.put", variable, index: variables.remove(variable) }]
  },
  "event.put": putEvent,
  "event.remove": removeEvent,
  "theme.merge": (work, edit) =>
    merge(work, "theme", edit.theme).map((theme) => ({ type: "theme.merge", theme })),
  "settings.merge": (work, edit) =>
    merge(work, "settings", edit.settings).map((settings) => ({
      type: "settings.merge",
      settings,
    })),
  "bot.set": (work, { type, ...members }) => {
    const before: Draft = work.others
    const given = Object.entries(members).filter(([, value]) => value !== undefined)
    const names = given.map(([name]) => name as keyof typeof members)
    work.others = { ...before, ...Object.fromEntries(given) }
    return [{ type, ...Object.fromEntries(names.map((name) => [name, before[name]])) }]
  },
}

/** Merges a patch, and returns the patches that undo it. */
function merge(work: WorkingDraft, name: "theme" | "settings", patch: Members): Members[] {
  const before = work.others[name]
  const after = mergePatch(before, patch)
  work.others = { ...work.others, [name]: after }
  return patchesBetween(after, before)
}

/**
 * Applies edits in order; throws an `EditProblem` when one fails, and applies none. The given draft is not
 * mutated, and shares unchanged parts with the new one.
 */
export function applyEdits<D extends Draft>(draft: D, edits: readonly Edit[]): Applied<D> {
  const work = openDraft(draft)
  const inverses: Edit[][] = []
  const elements = new Set<string>()
  for (const [index, edit] of edits.entries()) {
    for (const element of elementsTouched(work, edit)) elements.add(element)
    const apply = appliers[edit.type] as Apply<Edit["type"]>
    inverses.push(apply(work, edit, (element, words) => new EditProblem(index, element, words)))
  }
  checkStart(work, edits)
  const changed = { ...draft, ...work.close() }
  return { draft: changed, inverses: inverses.reverse().flat(), elements: [...elements] }
}

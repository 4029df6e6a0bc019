/** Laws of all drafts and edits. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { anyChoices, anyDraft, type Choice, editFrom } from "../../../test/support/anyDraft.ts"
import { deepFreeze } from "../../../test/support/freeze.ts"
import { typeOf } from "../blocks/registry.ts"
import { applyEdits } from "./applyEdits.ts"
import type { Draft } from "./draft.ts"
import { EditProblem } from "./editProblem.ts"
import { type Edit, editSchema } from "./editSchema.ts"
import { editsBetween } from "./editsBetween.ts"
import { elementsOf } from "./elementsOf.ts"
import { edgeNamedAt } from "./exits.ts"

/** The draft with an edit; undefined: the edit fails. */
function made(draft: Draft | undefined, edits: readonly Edit[]): Draft | undefined {
  try {
    return draft && applyEdits(draft, edits).draft
  } catch (error) {
    if (error instanceof EditProblem) return undefined
    throw error
  }
}

/** The edits that succeed one after the other. */
function possible(draft: Draft, choices: readonly Choice[]): Edit[] {
  const edits: Edit[] = []
  let now = draft
  for (const choice of choices) {
    const edit = deepFreeze(editFrom(now, choice))
    const next = made(now, [edit])
    if (!next) continue
    edits.push(edit)
    now = next
  }
  return edits
}

/** Without the order that only matters for display. */
function unordered(draft: Draft | undefined) {
  if (!draft) return undefined
  const sorted = <T extends { id: string }>(list: readonly T[]) =>
    list.toSorted((one, other) => (one.id < other.id ? -1 : 1))
  const { groups, edges, variables, events } = draft
  return {
    ...draft,
    groups: sorted(groups),
    edges: sorted(edges),
    variables: sorted(variables),
    events: sorted(events ?? []),
  }
}

const drawn = fc.record({ draft: anyDraft, choices: anyChoices(12) })

test("edits and then their inverses lead back to the same draft, in the same order", () => {
  let count = 0
  const types = new Set<string>()
  fc.assert(
    fc.property(drawn, ({ draft, choices }) => {
      const edits = possible(draft, choices)
      count += edits.length
      for (const { type } of edits) types.add(type)
      const { draft: after, inverses } = applyEdits(draft, edits)
      const { draft: back, inverses: again } = applyEdits(deepFreeze(after), deepFreeze(inverses))
      expect(back).toEqual(draft)
      expect(applyEdits(back, again).draft).toEqual(after)
    }),
    { numRuns: 300 },
  )
  expect(count).toBeGreaterThan(1_000)
  expect(types.size).toBe(editSchema.options.length)
})

test("edits one by one make the same as all at once", () => {
  fc.assert(
    fc.property(drawn, ({ draft, choices }) => {
      const edits = possible(draft, choices)
      const elements = new Set<string>()
      let now = draft
      for (const edit of edits) {
        for (const element of elementsOf(now, edit)) elements.add(element)
        now = applyEdits(now, [edit]).draft
      }
      const { draft: after, elements: touched } = applyEdits(draft, edits)
      expect(after).toEqual(now)
      expect(touched).toEqual([...elements])
    }),
    { numRuns: 150 },
  )
})

test("edits without a common element commute", () => {
  let count = 0
  let refused = 0
  fc.assert(
    fc.property(fc.record({ draft: anyDraft, choices: anyChoices(8) }), ({ draft, choices }) => {
      const edits = choices.map((choice) => editFrom(draft, choice))
      for (const [at, one] of edits.entries()) {
        for (const other of edits.slice(at + 1)) {
          const [first, second] = [made(draft, [one]), made(draft, [other])]
          const touched = new Set(elementsOf(draft, one))
          if (!first || !second || elementsOf(draft, other).some((each) => touched.has(each)))
            continue
          const [both, reversed] = [made(first, [other]), made(second, [one])]
          count += 1
          if (both && reversed) expect(unordered(both)).toEqual(unordered(reversed))
          else refused += 1
          // Only an edge may be refused, when the other edit removed or moved its target.
          if (!both) expect(other.type).toBe("edge.put")
          if (!reversed) expect(one.type).toBe("edge.put")
        }
      }
    }),
    { numRuns: 300 },
  )
  expect(count).toBeGreaterThan(1_000)
  expect(refused).toBeLessThan(count / 20)
})

test("undoing an edit keeps later edits that touched other elements", () => {
  fc.assert(
    fc.property(fc.record({ draft: anyDraft, choices: anyChoices(4) }), ({ draft, choices }) => {
      const [first, ...others] = choices.map((choice) => editFrom(draft, choice))
      if (!first || !made(draft, [first])) return
      const { draft: after, inverses, elements } = applyEdits(draft, [first])
      // Undoing touches only elements of the edit, unless it restores parts that valid drafts lack.
      const hasEmptyParts = /:\{\}/.test(JSON.stringify([draft.theme, draft.settings]))
      let now = after
      for (const inverse of inverses) {
        const isAlone = "isAlone" in inverse && inverse.isAlone
        const isOfParts = /merge$/.test(inverse.type) && hasEmptyParts
        if (!isAlone && !isOfParts)
          expect(elements).toEqual(expect.arrayContaining(elementsOf(now, inverse)))
        now = applyEdits(now, [inverse]).draft
      }
      for (const other of others) {
        const changed = made(after, [other])
        const touched = elementsOf(after, other)
        const undone = applyEdits(after, inverses).elements
        if (!changed || touched.some((each) => elements.includes(each) || undone.includes(each)))
          continue
        const without = made(draft, [other])
        const back = made(changed, inverses)
        if (without && back) expect(unordered(back)).toEqual(unordered(without))
      }
    }),
    { numRuns: 300 },
  )
})

test("the edits between two drafts turn the one into the other", () => {
  fc.assert(
    fc.property(fc.record({ before: anyDraft, after: anyDraft }), ({ before, after }) => {
      const edits = editsBetween(before, after)
      expect(applyEdits(before, deepFreeze(edits)).draft).toEqual(after)
      expect(editsBetween(after, after)).toEqual([])
    }),
    { numRuns: 200 },
  )
  fc.assert(
    fc.property(drawn, ({ draft, choices }) => {
      const { draft: after } = applyEdits(draft, possible(draft, choices))
      expect(applyEdits(draft, editsBetween(draft, after)).draft).toEqual(after)
      expect(applyEdits(after, editsBetween(after, draft)).draft).toEqual(draft)
    }),
    { numRuns: 150 },
  )
})

test("the schema of edits accepts every edited draft", () => {
  fc.assert(
    fc.property(drawn, ({ draft, choices }) => {
      for (const choice of choices) {
        const edit = editFrom(draft, choice)
        const read = JSON.parse(JSON.stringify(editSchema.parse(edit)))
        expect(read).toEqual(JSON.parse(JSON.stringify(edit)))
      }
    }),
    { numRuns: 50 },
  )
})

test("edges leave at the places that block types declare", () => {
  fc.assert(
    fc.property(anyDraft, ({ groups, edges }) => {
      for (const block of groups.flatMap((group) => group.blocks)) {
        const { edges: first, pathEdges } = typeOf(block)
        const named = [...(first?.(block) ?? []), ...(pathEdges?.(block) ?? [])]
        const found = edges.filter(
          ({ id, from }) => from.blockId === block.id && edgeNamedAt(block, from) === id,
        )
        const ids = found.map(({ id }) => id)
        for (const id of named) if (edges.some((edge) => edge.id === id)) expect(ids).toContain(id)
      }
    }),
    { numRuns: 100 },
  )
})

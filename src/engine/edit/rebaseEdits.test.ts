/** Edits of two authors on one draft: what is merged, and what is a conflict. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { anyChoices, anyDraft, type Choice, editFrom } from "../../../test/support/anyDraft.ts"
import { graphCoordinates, shop, text } from "../../../test/support/shopDraft.ts"
import { applyEdits } from "./applyEdits.ts"
import { takeMine } from "./conflicts.ts"
import type { Draft } from "./draft.ts"
import type { Edit } from "./editSchema.ts"
import { elementsOf } from "./elementsOf.ts"
import { rebaseEdits } from "./rebaseEdits.ts"

const edited = (draft: Draft, edits: readonly Edit[]) => applyEdits(draft, edits).draft

/** What two authors make of one draft at once: the draft with both, the conflicts, and the draft with `mine`. */
function meet(mine: Edit[], theirs: Edit[], draft: Draft = shop) {
  const present = edited(draft, theirs)
  const { edits, conflicts } = rebaseEdits(draft, mine, present)
  const both = edited(present, edits)
  const taken = conflicts.reduce((now, each) => edited(now, takeMine(now, each)), both)
  return {
    both,
    taken,
    conflicts: conflicts.map(({ element, path, mine: own, theirs: other }) => ({
      at: [element, ...path].join("/"),
      mine: own,
      theirs: other,
    })),
  }
}

const blockIn = (draft: Draft, id: string) =>
  draft.groups.flatMap(({ blocks }) => blocks).find((block) => block.id === id)

const choice = (items: object[], options: object = {}) => {
  const asked = { id: "pick", type: "choice input", items, options }
  return { type: "block.put", groupId: "thanks", block: asked } as unknown as Edit
}
const item = (id: string, content: string) => ({ id, content })
const asking = edited(shop, [choice([item("a", "A"), item("b", "B")])])

describe("different members are merged", () => {
  test("of a block, and of entries in its lists", () => {
    const mine = [choice([item("a", "Mine"), item("b", "B")], { isMultipleChoice: true })]
    const theirs = [choice([item("n", "New"), item("a", "A"), item("b", "Theirs")])]
    const { both, conflicts } = meet(mine, theirs, asking)
    expect(conflicts).toEqual([])
    expect(blockIn(both, "pick")).toMatchObject({
      items: [item("n", "New"), item("a", "Mine"), item("b", "Theirs")],
      options: { isMultipleChoice: true },
    })
  })

  test("of a list to which both add, and from which one removes", () => {
    const mine = [choice([item("a", "A"), item("m", "M"), item("b", "B")])]
    const theirs = [choice([item("b", "B"), item("t", "T")])]
    const { both, conflicts } = meet(mine, theirs, asking)
    expect(conflicts).toEqual([])
    const ids = (blockIn(both, "pick") as unknown as { items: { id: string }[] }).items
    expect(ids.map(({ id }) => id)).toEqual(["m", "b", "t"])
  })

  test("of theme, settings and bot", () => {
    const { both, conflicts } = meet(
      [
        { type: "bot.set", name: "Mine" },
        { type: "settings.merge", settings: { metadata: { title: "Mine" } } },
      ],
      [
        { type: "bot.set", icon: "T" },
        { type: "settings.merge", settings: { metadata: { description: "Theirs" } } },
      ],
    )
    expect(conflicts).toEqual([])
    expect(both).toMatchObject({ name: "Mine", icon: "T" })
    expect(both.settings.metadata).toMatchObject({ title: "Mine", description: "Theirs" })
  })

  test("of a block that the other author has moved to another group", () => {
    const { both, conflicts } = meet(
      [{ type: "block.put", groupId: "hello", block: text("hi", "Mine") }],
      [{ type: "block.move", blockId: "hi", groupId: "thanks", index: 0 }],
    )
    expect(conflicts).toEqual([])
    expect(both.groups[1]?.blocks[0]).toEqual(text("hi", "Mine"))
  })
})

describe("the same member is a conflict, which either can win", () => {
  test.each<[string, Edit, Edit]>([
    ["bot.name", { type: "bot.set", name: "M" }, { type: "bot.set", name: "T" }],
    [
      "settings.metadata.title",
      { type: "settings.merge", settings: { metadata: { title: "M" } } },
      { type: "settings.merge", settings: { metadata: { title: "T" } } },
    ],
    [
      "group:hello/title",
      { type: "group.put", group: { id: "hello", title: "M", graphCoordinates } },
      { type: "group.put", group: { id: "hello", title: "T", graphCoordinates } },
    ],
    [
      "block:hi/content/richText",
      { type: "block.put", groupId: "hello", block: text("hi", "M") },
      { type: "block.put", groupId: "hello", block: text("hi", "T") },
    ],
  ])("%s", (at, mine, theirs) => {
    const { both, taken, conflicts } = meet([mine], [theirs])
    expect(conflicts.map((each) => each.at)).toEqual([at])
    expect(JSON.stringify([conflicts[0]?.mine, conflicts[0]?.theirs])).toMatch(/"M".*"T"/)
    expect(both).toEqual(edited(shop, [theirs]))
    expect(taken).toEqual(edited(shop, [mine]))
  })

  test("an entry of a list is named by its id", () => {
    const { taken, conflicts } = meet(
      [choice([item("a", "M"), item("b", "B")])],
      [choice([item("b", "B"), item("a", "T")])],
      asking,
    )
    expect(conflicts).toEqual([{ at: "block:pick/items/a/content", mine: "M", theirs: "T" }])
    expect(blockIn(taken, "pick")).toMatchObject({ items: [item("b", "B"), item("a", "M")] })
  })

  test("an exit that both lead on", () => {
    const from = { blockId: "hi" }
    const lead = (id: string, groupId: string): Edit => ({
      type: "edge.put",
      edge: { id, from, to: { groupId } },
    })
    const { both, taken, conflicts } = meet([lead("m", "thanks")], [lead("t", "hello")])
    expect(conflicts.map(({ at }) => at)).toEqual(["edge:t"])
    const named = (draft: Draft) => blockIn(draft, "hi")?.outgoingEdgeId
    expect([named(both), named(taken)]).toEqual(["t", "m"])
  })

  test("not where both changed it to the same, and not the place of a group", () => {
    const moved = (title: string, x: number): Edit => ({
      type: "group.put",
      group: { id: "hello", title, graphCoordinates: { x, y: 0 } },
    })
    const { both, conflicts } = meet([moved("Same", 1)], [moved("Same", 2)])
    expect(conflicts).toEqual([])
    expect(both.groups[0]).toMatchObject({ title: "Same", graphCoordinates: { x: 1, y: 0 } })
  })
})

describe("what one removed and the other changed is a conflict", () => {
  const changed: Edit = { type: "block.put", groupId: "hello", block: text("hi", "New") }

  test("a block that they removed comes back with what was made of it", () => {
    const { both, taken, conflicts } = meet([changed], [{ type: "block.remove", blockId: "hi" }])
    expect(conflicts).toEqual([{ at: "block:hi", mine: text("hi", "New"), theirs: undefined }])
    expect(blockIn(both, "hi")).toBeUndefined()
    expect(taken).toEqual(edited(shop, [changed]))
  })

  test("a group that they removed comes back with its blocks and edges", () => {
    const { taken, conflicts } = meet([changed], [{ type: "group.remove", groupId: "hello" }])
    expect(conflicts.map(({ at }) => at)).toEqual(["group:hello"])
    expect(taken).toEqual(edited(shop, [changed]))
  })

  test("a block that is put into a group that they removed", () => {
    const added: Edit = { type: "block.put", groupId: "thanks", block: text("new", "New") }
    const { both, taken, conflicts } = meet([added], [{ type: "group.remove", groupId: "thanks" }])
    expect(conflicts.map(({ at }) => at)).toEqual(["group:thanks"])
    expect(blockIn(both, "new")).toBeUndefined()
    expect(taken).toEqual(edited(shop, [added]))
  })

  test("what this author removed stays as they changed it", () => {
    const { both, taken, conflicts } = meet([{ type: "group.remove", groupId: "hello" }], [changed])
    expect(conflicts.map(({ at, mine }) => [at, mine])).toEqual([["group:hello", undefined]])
    expect(both).toEqual(edited(shop, [changed]))
    expect(taken.groups.map(({ id }) => id)).toEqual(["thanks"])
  })

  test("what both removed is none", () => {
    const gone: Edit = { type: "group.remove", groupId: "hello" }
    expect(meet([gone], [gone])).toMatchObject({ conflicts: [], both: edited(shop, [gone]) })
  })
})

/** Edits that can be made one after the other. */
function possible(draft: Draft, choices: readonly Choice[]): Edit[] {
  const edits: Edit[] = []
  let now = draft
  for (const each of choices) {
    try {
      const edit = editFrom(now, each)
      now = edited(now, [edit])
      edits.push(edit)
    } catch {
      // Another one is drawn.
    }
  }
  return edits
}

const drawn = (most: number) =>
  fc.record({ draft: anyDraft, mine: anyChoices(most), theirs: anyChoices(most) })

test("edits on a draft that stayed as it was make the same of it", () => {
  fc.assert(
    fc.property(drawn(5), ({ draft, mine }) => {
      const edits = possible(draft, mine)
      const rebased = rebaseEdits(draft, edits, draft)
      expect(rebased.conflicts).toEqual([])
      expect(edited(draft, rebased.edits)).toEqual(edited(draft, edits))
    }),
    { numRuns: 150 },
  )
})

test("rebased edits can be made, and every conflict can be decided", () => {
  let count = 0
  fc.assert(
    fc.property(drawn(15), (each) => {
      const theirs = possible(each.draft, each.theirs)
      const mine = possible(each.draft, each.mine)
      const present = edited(each.draft, theirs)
      const { edits, conflicts } = rebaseEdits(each.draft, mine, present)
      const both = edited(present, edits)
      for (const conflict of conflicts) edited(both, takeMine(both, conflict))
      count += conflicts.length
    }),
    { numRuns: 120 },
  )
  expect(count).toBeGreaterThan(5)
})

test("edits that touch nothing in common are all kept", () => {
  let count = 0
  fc.assert(
    fc.property(drawn(4), ({ draft, mine, theirs }) => {
      const [own, others] = [possible(draft, mine), possible(draft, theirs)]
      const touched = new Set(others.flatMap((edit) => elementsOf(draft, edit)))
      if (own.some((edit) => elementsOf(draft, edit).some((each) => touched.has(each)))) return
      count += 1
      const { conflicts } = rebaseEdits(draft, own, edited(draft, others))
      expect(conflicts.filter(({ theirs: other }) => other !== undefined)).toEqual([])
    }),
    { numRuns: 300 },
  )
  expect(count).toBeGreaterThan(30)
})

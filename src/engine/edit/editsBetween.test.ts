/** Examples of edits between two drafts; `laws.test.ts` has the laws. */
import { describe, expect, test } from "vitest"
import { shop } from "../../../test/support/shopDraft.ts"
import { applyEdits } from "./applyEdits.ts"
import type { Draft } from "./draft.ts"
import type { Edit } from "./editSchema.ts"
import { editsBetween } from "./editsBetween.ts"

describe("the edits between two drafts", () => {
  test("are those that an author would make", () => {
    const edge = { id: "begin", from: { eventId: "start" }, to: { groupId: "thanks" } }
    const edits: Edit[] = [
      { type: "block.move", blockId: "ask", groupId: "thanks", index: 0 },
      { type: "edge.put", edge },
      { type: "edge.remove", edgeId: "agree" },
      { type: "theme.merge", theme: { customCss: null } },
      { type: "bot.set", name: "Store" },
    ]
    const found = editsBetween(shop, applyEdits(shop, edits).draft)
    expect(found).toHaveLength(edits.length)
    expect(found).toEqual(expect.arrayContaining(edits))
  })

  test("do not lead to another version, nor to a duplicate id", () => {
    const old: Draft = { ...shop, version: "6" }
    expect(() => editsBetween(shop, old)).toThrow("Edits cannot change the version of a bot")
    const twice = { ...shop, variables: [...shop.variables, ...shop.variables] }
    expect(() => editsBetween(shop, twice)).toThrow('There are two variables "name"')
  })
})

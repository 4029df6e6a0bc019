/** What edits write within the lists of a draft: no more than differs, and the same as the lists anew. */
import fc from "fast-check"
import { expect, test } from "vitest"
import { changesWithin } from "../../src/bots/edits/changesWithin.ts"
import { writeEdited } from "../../src/db/bots/edits.ts"
import { applyEdits } from "../../src/engine/edit/applyEdits.ts"
import type { Draft } from "../../src/engine/edit/draft.ts"
import { EditProblem } from "../../src/engine/edit/editProblem.ts"
import { anyChoices, anyDraft, type Choice, editFrom } from "../support/anyDraft.ts"
import { newUser } from "../support/callers.ts"
import { testDatabase } from "../support/database.ts"

const db = await testDatabase()
const { call } = await newUser(db)
const { workspace } = await call.workspace.create({ name: "W" })
const made = await call.bot.create({ workspaceId: workspace.id, bot: {} })
const { id: botId } = made.bot

/** Without what no database holds. */
function storable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === "string" ? each.toWellFormed().replaceAll("\0", "") : each,
  )
}

function edited(draft: Draft, choices: readonly Choice[]): Draft {
  let now = draft
  for (const choice of choices) {
    try {
      now = applyEdits(now, [storable(editFrom(now, choice))]).draft
    } catch (error) {
      if (!(error instanceof EditProblem)) throw error
    }
  }
  return now
}

async function readLists() {
  const { rows } = await db.pool.query("select groups, edges from bots where id = $1", [botId])
  return rows[0]
}

test("lists that were changed within are as if they had been written anew", async () => {
  let within = 0
  const drawn = fc.record({ draft: anyDraft, choices: anyChoices(4) })
  await fc.assert(
    fc.asyncProperty(drawn, async ({ draft, choices }) => {
      const before = storable(draft)
      const after = edited(before, choices)
      await db.pool.query("update bots set groups = $2, edges = $3 where id = $1", [
        botId,
        JSON.stringify(before.groups),
        JSON.stringify(before.edges),
      ])
      const groups = changesWithin(before.groups, after.groups)
      const edges = changesWithin(before.edges, after.edges)
      if (!groups || !edges) return
      within += groups.length + edges.length
      await writeEdited(db, botId, { within: { groups, edges } })
      expect(await readLists()).toEqual(storable({ groups: after.groups, edges: after.edges }))
    }),
    { numRuns: 150 },
  )
  expect(within).toBeGreaterThan(100)
})

test("an edit of a text writes its block, and one of a group its title", () => {
  const text = (id: string, content: string) => ({ id, type: "text", content })
  const group = (id: string, ...blocks: object[]) => ({ id, title: id, blocks })
  const [a, b] = [group("a", text("1", "One"), text("2", "Two")), group("b")]
  const changed = group("a", ...a.blocks.slice(0, 1), text("2", "Second"))
  expect(changesWithin([a, b], [changed, b])).toMatchObject([
    { kind: "set", path: ["0", "blocks", "1"], value: { content: "Second" } },
  ])
  expect(changesWithin([a, b], [a, { ...b, title: "B" }])).toMatchObject([
    { kind: "set", path: ["1"] },
  ])
  expect(changesWithin([a, b], [b])).toEqual([{ kind: "remove", path: ["0"], former: a }])
  const many = Array.from({ length: 30 }, (_, n) => group(`${n}`))
  expect(changesWithin(many, many.toReversed())).toBeUndefined()
})

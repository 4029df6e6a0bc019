/** Edits that two authors may make at random of one small draft, often at the same place. */
import { applyEdits, type Draft, type Edit } from "../../src/client/edit.ts"
import type { Dice } from "./dice.ts"

const longest = 3
const maxGroups = 8

/** One to three edits that can be made of a draft, one after the other. */
export function randomEdits(draft: Draft, dice: Dice): Edit[] {
  const edits: Edit[] = []
  const count = 1 + dice.below(longest)
  for (let now = draft; edits.length < count; ) {
    const edit = randomEdit(now, dice)
    try {
      now = applyEdits(now, [edit]).draft
      edits.push(edit)
    } catch {
      // It cannot be made of this draft, so another one is drawn.
    }
  }
  return edits
}

const graphCoordinates = { x: 0, y: 0 }

function randomEdit({ groups, edges, variables }: Draft, dice: Dice): Edit {
  const one = <Part extends { id: string }>(parts: readonly Part[]) =>
    parts[dice.below(Math.max(1, parts.length))]?.id ?? "none"
  const number = dice.below(1_000_000)
  const text = `T${number}`
  const groupId = one(groups)
  const blocks = groups.find(({ id }) => id === groupId)?.blocks ?? []
  const blockId = one(blocks)
  const says = { id: `b${number}`, type: "text" as const, content: { richText: [{ text }] } }
  const edgeId = `e${number}`
  const makers: (() => Edit)[] = [
    () => ({ type: "variable.put", variable: { id: `v${number}`, name: text } }),
    () => ({ type: "variable.put", variable: { id: one(variables), name: text } }),
    () => ({ type: "variable.remove", variableId: one(variables) }),
    () => ({ type: "group.put", group: { id: groupId, title: text, graphCoordinates } }),
    () => ({ type: "block.put", groupId, block: says, index: 0 }),
    () => ({ type: "block.put", groupId, block: { ...says, id: blockId } }),
    () => ({ type: "block.move", blockId, groupId: one(groups), index: 0 }),
    () => ({ type: "block.remove", blockId }),
    () => ({
      type: "edge.put",
      edge: { id: edgeId, from: { blockId }, to: { groupId: one(groups) } },
    }),
    () => ({ type: "edge.remove", edgeId: one(edges) }),
    () => ({ type: "theme.merge", theme: { customCss: text } }),
    () => ({ type: "bot.set", name: text }),
    () =>
      groups.length < maxGroups
        ? {
            type: "group.put",
            group: { id: `g${number}`, title: text, graphCoordinates, blocks: [says] },
          }
        : { type: "group.remove", groupId },
  ]
  const make = makers[dice.below(makers.length)] ?? makers[0]
  if (!make) throw new Error("There are no edits to draw from")
  return make()
}

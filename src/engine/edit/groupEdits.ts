/** Puts, moves and removes groups and their blocks, along with the edges from and to them. */
import type { Block } from "../blocks/registry.ts"
import type { Group } from "../bot.ts"
import { removeWithEdges } from "./edgeEdits.ts"
import { edgesOfBlock, edgesOfGroup, edgesTo } from "./edgesOf.ts"
import type { Refuse } from "./editProblem.ts"
import type { Edit, EditOf } from "./editSchema.ts"
import type { WorkingDraft } from "./workingDraft.ts"
import { putInto } from "./workingList.ts"

/** Adds a group, or changes its title and coordinates. Like all of these, returns the edits that undo it. */
export function putGroup(work: WorkingDraft, edit: EditOf<"group.put">, refuse: Refuse): Edit[] {
  const { id, title, graphCoordinates, blocks = [] } = edit.group
  const former = work.groups.find(id)
  if (former) {
    const element = { ...former, title, graphCoordinates }
    const moved = putInto(work.groups, { element, former, index: edit.index })
    const group = { id, title: former.title, graphCoordinates: former.graphCoordinates }
    return [{ type: "group.put", group, ...moved }]
  }
  const seen = new Set<string>()
  for (const block of blocks) {
    if (seen.has(block.id) || work.homeOf(block.id))
      throw refuse(`block:${block.id}`, `Block "${block.id}" already exists`)
    seen.add(block.id)
  }
  const group = { ...edit.group, blocks }
  const isAlone = edgesOfGroup(work, group).length > 0
  work.addGroup(group, edit.index)
  return [{ type: "group.remove", groupId: id, ...(isAlone ? { isAlone } : {}) }]
}

/** Removes a group and its blocks, and unless it is alone the edges from and to it. */
export function removeGroup(
  work: WorkingDraft,
  edit: EditOf<"group.remove">,
  refuse: Refuse,
): Edit[] {
  const group = groupOf(work, edit.groupId, refuse)
  const edges = edit.isAlone ? [] : edgesOfGroup(work, group)
  let index = 0
  const edgesBack = removeWithEdges(work, edges, () => {
    index = work.removeGroup(group)
  })
  return [{ type: "group.put", group, index }, ...edgesBack]
}

/** Adds a block to a group, or replaces it there. */
export function putBlock(work: WorkingDraft, edit: EditOf<"block.put">, refuse: Refuse): Edit[] {
  const { groupId, block, index } = edit
  const group = groupOf(work, groupId, refuse)
  const home = work.homeOf(block.id)
  if (home && home.id !== groupId)
    throw refuse(`block:${block.id}`, `Block "${block.id}" is in group "${home.id}": move it first`)
  const former = home && blockIn(home, block.id)
  if (former) {
    work.setBlocks(group, group.blocks.with(group.blocks.indexOf(former), block), {})
    return [{ type: "block.put", groupId, block: former }]
  }
  const isAlone = edgesOfBlock(work, group, block.id).length > 0
  const blocks = group.blocks.toSpliced(index ?? group.blocks.length, 0, block)
  work.setBlocks(group, blocks, { fresh: block.id })
  return [{ type: "block.remove", blockId: block.id, ...(isAlone ? { isAlone } : {}) }]
}

/** Removes a block, and unless it is alone the edges from and to it. */
export function removeBlock(
  work: WorkingDraft,
  edit: EditOf<"block.remove">,
  refuse: Refuse,
): Edit[] {
  const { blockId } = edit
  const { home, block } = placeOf(work, blockId, refuse)
  const index = home.blocks.indexOf(block)
  const edges = edit.isAlone ? [] : edgesOfBlock(work, home, blockId)
  const edgesBack = removeWithEdges(work, edges, () => {
    work.setBlocks(home, home.blocks.toSpliced(index, 1), { gone: blockId })
  })
  return [{ type: "block.put", groupId: home.id, block, index }, ...edgesBack]
}

/** Moves a block, and unless it is alone the ends of edges to it. */
export function moveBlock(work: WorkingDraft, edit: EditOf<"block.move">, refuse: Refuse): Edit[] {
  const { blockId, groupId, isAlone } = edit
  const { home, block } = placeOf(work, blockId, refuse)
  groupOf(work, groupId, refuse)
  const index = home.blocks.indexOf(block)
  work.setBlocks(home, home.blocks.toSpliced(index, 1), { gone: blockId })
  // Read again: it may be the group that was left.
  const group = groupOf(work, groupId, refuse)
  work.setBlocks(group, group.blocks.toSpliced(edit.index, 0, block), { fresh: blockId })

  const back: Edit = { type: "block.move", blockId, groupId: home.id, index }
  if (isAlone || home.id === groupId) return [{ ...back, ...(isAlone ? { isAlone } : {}) }]
  const others = edgesTo(work, groupId, blockId)
  const edges = edgesTo(work, home.id, blockId)
  for (const edge of edges) work.edges.replace(edge, { ...edge, to: { ...edge.to, groupId } })
  if (others.length === 0) return [back]
  // Moving it back would take along edges that led to its new group before the move.
  const edgesBack = edges.map((edge): Edit => ({ type: "edge.put", edge, isAlone: true }))
  return [{ ...back, isAlone: true }, ...edgesBack]
}

function groupOf(work: WorkingDraft, groupId: string, refuse: Refuse): Group {
  const group = work.groups.find(groupId)
  if (!group) throw refuse(`group:${groupId}`, `Group "${groupId}" does not exist`)
  return group
}

function placeOf(work: WorkingDraft, blockId: string, refuse: Refuse) {
  const home = work.homeOf(blockId)
  const block = home && blockIn(home, blockId)
  if (!block) throw refuse(`block:${blockId}`, `Block "${blockId}" does not exist`)
  return { home, block }
}

function blockIn({ blocks }: Group, blockId: string): Block | undefined {
  return blocks.find(({ id }) => id === blockId)
}

/** A draft while edits change it: lists are copied once, and unchanged parts are shared. */
import type { Block } from "../blocks/registry.ts"
import type { Group } from "../bot.ts"
import type { Edge } from "../schema/edge.ts"
import type { BotEvent } from "../schema/event.ts"
import type { Variable } from "../schema/variable.ts"
import type { Draft } from "./draft.ts"
import { createEdgeList, type EdgeList } from "./edgeList.ts"
import type { EditOf } from "./editSchema.ts"
import { type KnownPositions, type Source, withEdgeAt } from "./exits.ts"
import { createWorkingList, searchesBeforeIndex, type WorkingList } from "./workingList.ts"

/** The event or the block that an edge leaves, as the edit that puts it. */
export type Owner = EditOf<"event.put"> | EditOf<"block.put">

export type WorkingDraft = {
  groups: WorkingList<Group>
  edges: EdgeList
  variables: WorkingList<Variable>
  /** Undefined: a draft of a version without events. */
  events: WorkingList<BotEvent> | undefined
  positions: KnownPositions
  /** The other members, as they are now. */
  others: Draft
  /** The group of a block. */
  homeOf(blockId: string): Group | undefined
  /** Replaces the blocks of a group; `gone` and `fresh` name a removed and a new one. */
  setBlocks(group: Group, blocks: Block[], change: { gone?: string; fresh?: string }): void
  addGroup(group: Group, index: number | undefined): void
  removeGroup(group: Group): number
  /** The event or block that an edge leaves; undefined: it does not exist. */
  ownerOf(from: Source): Owner | undefined
  /** Sets the edge named at a place. */
  nameEdge(owner: Owner, from: Source, edgeId: string | undefined): void
  close(): Draft
}

export function openDraft(draft: Draft): WorkingDraft {
  const groups = createWorkingList(draft.groups)
  const edges = createEdgeList(draft.edges)
  const variables = createWorkingList(draft.variables)
  const events = draft.events ? createWorkingList(draft.events) : undefined
  const homes = createHomes(groups)
  const positions: KnownPositions = new WeakMap()

  const work: WorkingDraft = {
    groups,
    edges,
    variables,
    events,
    positions,
    others: draft,
    homeOf: homes.find,
    setBlocks(group, blocks, { gone, fresh }) {
      groups.replace(group, { ...group, blocks })
      if (gone !== undefined) homes.forget(gone)
      if (fresh !== undefined) homes.note(fresh, group.id)
    },
    addGroup(group, index) {
      groups.insert(group, index)
      for (const { id } of group.blocks) homes.note(id, group.id)
    },
    removeGroup(group) {
      for (const { id } of group.blocks) homes.forget(id)
      return groups.remove(group)
    },
    ownerOf({ eventId, blockId = "" }) {
      if (eventId !== undefined) {
        const event = events?.find(eventId)
        return event && { type: "event.put", event }
      }
      const home = homes.find(blockId)
      const block = home?.blocks.find(({ id }) => id === blockId)
      return home && block && { type: "block.put", groupId: home.id, block }
    },
    nameEdge(owner, from, edgeId) {
      if (owner.type === "event.put") {
        events?.replace(owner.event, withEdgeAt(owner.event, from, edgeId, positions))
        return
      }
      const home = homes.find(owner.block.id)
      if (!home) return
      const block = withEdgeAt(owner.block, from, edgeId, positions)
      work.setBlocks(home, home.blocks.with(home.blocks.indexOf(owner.block), block), {})
    },
    close() {
      return {
        ...work.others,
        groups: groups.elements() as Group[],
        edges: edges.elements() as Edge[],
        variables: variables.elements() as Variable[],
        events: (events?.elements() as BotEvent[] | undefined) ?? null,
      }
    },
  }
  return work
}

/** The event or block itself. */
export function elementOf(owner: Owner): BotEvent | Block {
  return owner.type === "event.put" ? owner.event : owner.block
}

/** The group of each block, indexed after several look-ups. */
function createHomes(groups: WorkingList<Group>) {
  let homes: Map<string, string> | undefined
  let searches = 0
  const index = () => {
    const found = new Map<string, string>()
    let count = 0
    for (const { id, blocks } of groups.elements()) {
      count += blocks.length
      for (const block of blocks) found.set(block.id, id)
    }
    return found.size === count ? found : undefined
  }
  return {
    find(blockId: string): Group | undefined {
      if (++searches === searchesBeforeIndex) homes = index()
      if (homes) {
        const groupId = homes.get(blockId)
        return groupId === undefined ? undefined : groups.find(groupId)
      }
      return groups.elements().find(({ blocks }) => blocks.some(({ id }) => id === blockId))
    },
    note(blockId: string, groupId: string): void {
      homes?.set(blockId, groupId)
    },
    forget(blockId: string): void {
      homes?.delete(blockId)
    },
  }
}

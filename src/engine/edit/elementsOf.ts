/** The elements that an edit touches: edits without a common element commute. */
import { isMembers, type Members, memberOf } from "../../lib/json.ts"
import type { Edge } from "../schema/edge.ts"
import type { Draft } from "./draft.ts"
import { edgesOfBlock, edgesOfEvent, edgesOfGroup, edgesTo } from "./edgesOf.ts"
import type { Edit, EditOf } from "./editSchema.ts"
import { ownerKey } from "./exits.ts"
import { mergedMembers } from "./mergedMembers.ts"
import { openDraft, type WorkingDraft } from "./workingDraft.ts"

/**
 * The keys of the elements that an edit touches in a draft: `group:ID` (its title and place), `group:ID/blocks` (which
 * blocks it has, in which order), `block:ID`, `edge:ID`, `variable:ID`, `event:ID`, `theme.A.B`,
 * `settings.A.B`, `bot.NAME`.
 *
 * Edits without a common key commute: both orders lead to the same draft, but for the order of groups,
 * edges, variables and events, which only matters for display; or one order is refused, because an edge
 * would lead to what the other edit removed or moved.
 */
export function elementsOf(draft: Draft, edit: Edit): string[] {
  return [...new Set(elementsTouched(openDraft(draft), edit))]
}

type Touch<Type extends Edit["type"]> = (work: WorkingDraft, edit: EditOf<Type>) => string[]

const touches: { [Type in Edit["type"]]: Touch<Type> } = {
  "group.put": ({ groups }, { group: { id, blocks = [] } }) =>
    groups.find(id)
      ? [`group:${id}`]
      : [`group:${id}`, blocksOf(id), ...blocks.map((block) => `block:${block.id}`)],
  "group.remove": (work, { groupId }) => {
    const group = work.groups.find(groupId)
    const blocks = (group?.blocks ?? []).map(({ id }) => `block:${id}`)
    const edges = group ? edgesOfGroup(work, group) : []
    return [`group:${groupId}`, blocksOf(groupId), ...blocks, ...edges.flatMap(withSource)]
  },
  "block.put": (work, { groupId, block: { id } }) =>
    work.homeOf(id) ? [`block:${id}`] : [`block:${id}`, blocksOf(groupId)],
  "block.move": (work, { blockId, groupId }) => {
    const home = work.homeOf(blockId)
    const lists = [...new Set([groupId, home?.id ?? groupId])].map(blocksOf)
    const edges = home ? edgesTo(work, home.id, blockId) : []
    return [`block:${blockId}`, ...lists, ...edges.map(({ id }) => `edge:${id}`)]
  },
  "block.remove": (work, { blockId }) => {
    const home = work.homeOf(blockId)
    const edges = home ? edgesOfBlock(work, home, blockId) : []
    return [`block:${blockId}`, ...(home ? [blocksOf(home.id)] : []), ...edges.flatMap(withSource)]
  },
  "edge.put": ({ edges }, { edge, isAlone }) => {
    const former = edges.find(edge.id)
    const { groupId, blockId } = edge.to
    // A dangling edge stays or not depending on when its target is removed.
    const target = isAlone ? [`group:${groupId}`, ...(blockId ? [`block:${blockId}`] : [])] : []
    return [...withSource(edge), ...(former ? withSource(former) : []), ...target]
  },
  "edge.remove": ({ edges }, { edgeId }) => {
    const edge = edges.find(edgeId)
    return edge ? withSource(edge) : [`edge:${edgeId}`]
  },
  "variable.put": (_, { variable }) => [`variable:${variable.id}`],
  "variable.remove": (_, { variableId }) => [`variable:${variableId}`],
  "event.put": (_, { event }) => [`event:${event.id}`],
  "event.remove": (work, { eventId }) => [
    `event:${eventId}`,
    ...edgesOfEvent(work, eventId).map(({ id }) => `edge:${id}`),
  ],
  "theme.merge": ({ others }, { theme }) => merged("theme", others.theme, theme),
  "settings.merge": ({ others }, { settings }) => merged("settings", others.settings, settings),
  "bot.set": (_, { type, ...members }) =>
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : `bot.${name}`)),
}

/** The same for a working draft, with possible duplicates. */
export function elementsTouched(work: WorkingDraft, edit: Edit): string[] {
  return (touches[edit.type] as Touch<Edit["type"]>)(work, edit)
}

function blocksOf(groupId: string): string {
  return `group:${groupId}/blocks`
}

function withSource({ id, from }: Edge): string[] {
  return [`edge:${id}`, ownerKey(from)]
}

/** An edit of a part touches its members; removing or emptying it touches all possible members. */
function merged(root: keyof typeof mergedMembers, target: Members, patch: Members): string[] {
  return Object.entries(patch).flatMap(([name, value]) => {
    if (value === undefined) return []
    const present = memberOf(target, name)
    const isPart = isMembers(value) && Object.keys(value).length > 0
    const names = isPart
      ? Object.keys(value)
      : [...(mergedMembers[root][name] ?? []), ...Object.keys(isMembers(present) ? present : {})]
    const key = `${root}.${name}`
    return [...(isPart ? [] : [key]), ...names.map((inner) => `${key}.${inner}`)]
  })
}

/** Finds the edits that lead from one draft to another. */

import { firstBy } from "../../lib/groupBy.ts"
import { isEqual } from "../../lib/json.ts"
import type { Block } from "../blocks/registry.ts"
import type { Group } from "../bot.ts"
import type { BotMembers } from "../schema/botMembers.ts"
import { applyEdits } from "./applyEdits.ts"
import type { Draft } from "./draft.ts"
import { isConnected } from "./edgeEdits.ts"
import { EditProblem } from "./editProblem.ts"
import type { Edit } from "./editSchema.ts"
import { withoutExits } from "./exits.ts"
import { patchesBetween } from "./mergePatch.ts"
import { type Placement, placements } from "./placements.ts"
import { openDraft } from "./workingDraft.ts"

/**
 * The edits that turn one draft into another. Throws an `EditProblem` when the drafts have different
 * versions, or the later one has a duplicate id.
 */
export function editsBetween(before: Draft, after: Draft): Edit[] {
  refuseOther(before, after)
  const edits: Edit[] = []
  let draft = before
  // Each step starts from the draft after the former ones: removing takes edges along.
  for (const step of [variables, events, groupsAndBlocks, edges, namesOfEdges, others]) {
    const made = step(draft, after)
    if (made.length === 0) continue
    edits.push(...made)
    draft = applyEdits(draft, made).draft
  }
  return edits
}

type Step = (before: Draft, after: Draft) => Edit[]

const variables: Step = (before, after) => {
  const changed = changesOf(before.variables, after.variables)
  return [
    ...changed.gone.map(({ id }): Edit => ({ type: "variable.remove", variableId: id })),
    ...changed.put.map(({ element, ...at }): Edit => {
      return { type: "variable.put", variable: element, ...at }
    }),
  ]
}

const events: Step = (before, after) => {
  const changed = changesOf(before.events ?? [], after.events ?? [])
  return [
    ...changed.gone.map(({ id }): Edit => ({ type: "event.remove", eventId: id })),
    ...changed.put.map(({ element, ...at }): Edit => {
      return { type: "event.put", event: element, ...at }
    }),
  ]
}

/** Groups are added first and removed last, so that blocks can move from one to another. */
const groupsAndBlocks: Step = (before, after) => {
  const homes = homesIn(before.groups)
  const wanted = homesIn(after.groups)
  const former = firstBy(before.groups, ({ id }) => id)
  const heads = changesOf(before.groups.map(headOf), after.groups.map(headOf), "goneAtTheEnd")
  const now = firstBy(after.groups, ({ id }) => id)
  const lists = new Map(
    before.groups.map(({ id, blocks }) => [id, idsOf(blocks).filter((each) => wanted.has(each))]),
  )
  const edits = heads.put.map(({ element, ...at }): Edit => {
    if (former.has(element.id)) return { type: "group.put", group: element, ...at }
    const blocks = (now.get(element.id)?.blocks ?? []).filter(({ id }) => !homes.has(id))
    lists.set(element.id, idsOf(blocks))
    return { type: "group.put", group: { ...element, blocks }, ...at }
  })
  const gone = new Set(heads.gone.map(({ id }) => id))
  for (const [blockId, { group }] of homes) {
    if (!wanted.has(blockId) && !gone.has(group.id)) edits.push({ type: "block.remove", blockId })
  }
  for (const group of after.groups) {
    const blocks = firstBy(group.blocks, ({ id }) => id)
    for (const { id, index } of placements(lists.get(group.id) ?? [], [...blocks.keys()])) {
      const block = blocks.get(id)
      const home = homes.get(id)
      if (home) edits.push({ type: "block.move", blockId: id, groupId: group.id, index })
      else if (block) edits.push({ type: "block.put", groupId: group.id, block, index })
      const left = home && lists.get(home.group.id)
      if (left && home.group.id !== group.id) left.splice(left.indexOf(id), 1)
    }
    for (const block of group.blocks) {
      const home = homes.get(block.id)
      if (home && isChangedInside(home.block, block))
        edits.push({ type: "block.put", groupId: group.id, block })
    }
  }
  return [...edits, ...[...gone].map((groupId): Edit => ({ type: "group.remove", groupId }))]
}

const edges: Step = (before, after) => {
  const changed = changesOf(before.edges, after.edges)
  const ends = openDraft(after)
  return [
    ...changed.gone.map(({ id }): Edit => ({ type: "edge.remove", edgeId: id })),
    ...changed.put.map(({ element, ...at }): Edit => {
      const alone = isConnected(ends, element) ? {} : { isAlone: true as const }
      return { type: "edge.put", edge: element, ...at, ...alone }
    }),
  ]
}

/** Restores blocks and events that name edges other than their own. */
const namesOfEdges: Step = (before, after) => {
  const present = homesIn(before.groups)
  const blocks = [...homesIn(after.groups).values()].flatMap(({ group, block }): Edit[] =>
    isEqual(present.get(block.id)?.block, block)
      ? []
      : [{ type: "block.put", groupId: group.id, block }],
  )
  return [...events(before, after), ...blocks]
}

const others: Step = (before, after) => {
  const set = Object.fromEntries(
    settable
      .filter((name) => !isEqual(before[name] ?? null, after[name] ?? null))
      .map((name) => [name, after[name] ?? null]),
  )
  return [
    ...patchesBetween(before.theme, after.theme).map((theme): Edit => {
      return { type: "theme.merge", theme }
    }),
    ...patchesBetween(before.settings, after.settings).map((settings): Edit => {
      return { type: "settings.merge", settings }
    }),
    ...(Object.keys(set).length > 0 ? [{ type: "bot.set" as const, ...set }] : []),
  ]
}

const settable = Object.keys({
  name: true,
  icon: true,
  selectedThemeTemplateId: true,
  resultsTablePreferences: true,
  publicId: true,
  customDomain: true,
  isClosed: true,
  whatsAppCredentialsId: true,
} satisfies Record<keyof BotMembers, true>) as (keyof BotMembers)[]

/** The removed elements, and those to put: new, changed and moved ones. */
function changesOf<T extends { id: string }>(
  before: readonly T[],
  after: readonly T[],
  removing: "goneFirst" | "goneAtTheEnd" = "goneFirst",
) {
  const former = firstBy(before, ({ id }) => id)
  const wanted = firstBy(after, ({ id }) => id)
  const gone = before.filter(({ id }) => !wanted.has(id))
  const present = idsOf(before).filter((id) => removing === "goneAtTheEnd" || wanted.has(id))
  const placed = new Map<string, Placement>()
  for (const each of placements(present, [...wanted.keys()])) placed.set(each.id, each)
  let { length } = present
  const put = after.flatMap((element) => {
    const place = placed.get(element.id)
    if (!place) return isEqual(former.get(element.id), element) ? [] : [{ element }]
    const isLast = place.isNew && place.index === length
    if (place.isNew) length += 1
    return [isLast ? { element } : { element, index: place.index }]
  })
  return { gone, put }
}

function idsOf(elements: readonly { id: string }[]): string[] {
  return elements.map(({ id }) => id)
}

/** The members of a group that its own edits change. */
function headOf({ id, title, graphCoordinates }: Group) {
  return { id, title, graphCoordinates }
}

/** Every block by its id, with its group. */
function homesIn(groups: readonly Group[]): Map<string, { group: Group; block: Block }> {
  const homes = new Map<string, { group: Group; block: Block }>()
  for (const group of groups) {
    for (const block of group.blocks) homes.set(block.id, { group, block })
  }
  return homes
}

/** Whether blocks differ in more than the names of edges, which edge edits change. */
function isChangedInside(before: Block, after: Block): boolean {
  return !isEqual(before, after) && !isEqual(withoutExits(before), withoutExits(after))
}

function refuseOther(before: Draft, after: Draft): void {
  const hasOtherEvents = (before.events === null) !== (after.events === null)
  if (before.version !== after.version || hasOtherEvents)
    throw new EditProblem(0, "bot.version", "Edits cannot change the version of a bot")
  const lists: [kind: string, list: readonly { id: string }[]][] = [
    ["group", after.groups],
    ["block", after.groups.flatMap(({ blocks }) => blocks)],
    ["edge", after.edges],
    ["variable", after.variables],
    ["event", after.events ?? []],
  ]
  for (const [kind, list] of lists) {
    const seen = new Set<string>()
    for (const { id } of list) {
      if (seen.has(id)) throw new EditProblem(0, `${kind}:${id}`, `There are two ${kind}s "${id}"`)
      seen.add(id)
    }
  }
}

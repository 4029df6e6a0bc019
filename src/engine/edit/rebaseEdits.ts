/** Makes edits of an author anew on a draft that others have changed meanwhile. */
import { isEqual, type Members } from "../../lib/json.ts"
import type { Block } from "../blocks/registry.ts"
import type { BotMembers } from "../schema/botMembers.ts"
import { applyEdits } from "./applyEdits.ts"
import { type Conflict, elementAt, homeOf } from "./conflicts.ts"
import type { Draft } from "./draft.ts"
import { EditProblem } from "./editProblem.ts"
import type { Edit, EditOf } from "./editSchema.ts"
import { isSamePlace, ownerKey, withoutExits } from "./exits.ts"
import { type Clash, mergeMembers } from "./mergeMembers.ts"
import { patchesBetween } from "./mergePatch.ts"

export type Rebased = {
  /** What both keep: they can be applied to the present draft. */
  edits: Edit[]
  /** What cannot both be kept: the present draft stays as it is there. */
  conflicts: Conflict[]
}

/** The draft before an edit, the same with it, and the draft of the others with the former edits. */
type Three = { was: Draft; mine: Draft; theirs: Draft }

type Kept = { edits?: Edit[]; conflicts?: Conflict[] }

/**
 * Rebases edits of the draft `before` onto `present`, which others have made of it. Changes of different members of
 * one element are merged; what both changed in different ways stays as the others made it, and is a conflict.
 */
export function rebaseEdits(before: Draft, edits: readonly Edit[], present: Draft): Rebased {
  const made: Edit[] = []
  const conflicts = new Map<string, Conflict>()
  const gone = new Set<string>()
  let was = before
  let theirs = present
  for (const edit of edits) {
    const mine = applyEdits(was, [edit]).draft
    const three = { was, mine, theirs }
    const missing = needsOf(edit, was).filter((key) => isGone(three, key))
    const kept = missing.length > 0 ? {} : rebase(edit, three)
    // Both have removed it.
    if (!edit.type.endsWith(".remove")) for (const key of missing) gone.add(key)
    for (const conflict of kept.conflicts ?? []) {
      const key = [conflict.element, ...conflict.path].join("/")
      const { before: first } = conflicts.get(key) ?? conflict
      conflicts.set(key, { ...conflict, before: first })
    }
    for (const each of kept.edits ?? []) {
      const next = applied(theirs, each)
      if (next === undefined) continue
      theirs = next
      made.push(each)
    }
    was = mine
  }
  const open = [...conflicts.values()].filter(
    ({ before: first, mine, theirs: others }) => !isEqual(mine, first) && !isEqual(mine, others),
  )
  return { edits: made, conflicts: [...open, ...removals({ mine: was, theirs }, gone)] }
}

function applied(draft: Draft, edit: Edit): Draft | undefined {
  try {
    return applyEdits(draft, [edit]).draft
  } catch (error) {
    // It belongs to something that the others removed, which is a conflict already.
    if (error instanceof EditProblem) return undefined
    throw error
  }
}

const isGone = ({ was, theirs }: Pick<Three, "was" | "theirs">, key: string) =>
  elementAt(was, key) !== undefined && elementAt(theirs, key) === undefined

/** What has to be in a draft for an edit. */
function needsOf(edit: Edit, was: Draft): string[] {
  switch (edit.type) {
    case "group.put":
      return [`group:${edit.group.id}`]
    case "group.remove":
      return [`group:${edit.groupId}`]
    case "block.put":
      return homeOf(was, edit.block.id) ? [`block:${edit.block.id}`] : [`group:${edit.groupId}`]
    case "block.move":
      return [`block:${edit.blockId}`, `group:${edit.groupId}`]
    case "block.remove":
      return [`block:${edit.blockId}`]
    case "edge.put": {
      const { from, to } = edit.edge
      const target = to.blockId === undefined ? `group:${to.groupId}` : `block:${to.blockId}`
      return edit.isAlone ? [] : [ownerKey(from), target]
    }
    case "edge.remove":
      return [`edge:${edit.edgeId}`]
    case "variable.put":
      return [`variable:${edit.variable.id}`]
    case "variable.remove":
      return [`variable:${edit.variableId}`]
    case "event.put":
      return [`event:${edit.event.id}`]
    case "event.remove":
      return [`event:${edit.eventId}`]
    default:
      return []
  }
}

/** Conflicts about what others removed and this author changed: restoring it brings the edges along. */
function removals({ mine, theirs }: Pick<Three, "mine" | "theirs">, gone: Set<string>): Conflict[] {
  const keys = [...gone].map((key) => {
    const home = key.startsWith("block:") ? homeOf(mine, key.slice("block:".length)) : undefined
    return home && !elementAt(theirs, `group:${home.id}`) ? `group:${home.id}` : key
  })
  return [...new Set(keys)].flatMap((element): Conflict[] => {
    const own = elementAt(mine, element)
    const removal = own && removalOf(element)
    if (!removal) return []
    const edits = applyEdits(mine, [removal]).inverses
    return [{ element, path: [], before: own, mine: own, theirs: undefined, edits }]
  })
}

function removalOf(element: string): Edit | undefined {
  const [kind, id = ""] = element.split(/:(.*)/s)
  switch (kind) {
    case "group":
      return { type: "group.remove", groupId: id }
    case "block":
      return { type: "block.remove", blockId: id }
    case "variable":
      return { type: "variable.remove", variableId: id }
    case "event":
      return { type: "event.remove", eventId: id }
    default:
      return undefined
  }
}

type Rebase<Type extends Edit["type"]> = (edit: EditOf<Type>, three: Three) => Kept

const rebases: { [Type in Edit["type"]]: Rebase<Type> } = {
  "group.put": (edit, three) => {
    const element = `group:${edit.group.id}`
    return put(edit, element, three, (group) => ({ ...edit, group: group as typeof edit.group }))
  },
  "block.put": (edit, three) => {
    const { id } = edit.block
    const groupId = homeOf(three.theirs, id)?.id ?? edit.groupId
    return put(edit, `block:${id}`, three, (block) => ({ ...edit, groupId, block: block as Block }))
  },
  "variable.put": (edit, three) =>
    put(edit, `variable:${edit.variable.id}`, three, (variable) => ({
      ...edit,
      variable: variable as typeof edit.variable,
    })),
  "event.put": (edit, three) =>
    put(edit, `event:${edit.event.id}`, three, (event) => ({
      ...edit,
      event: event as typeof edit.event,
    })),
  "group.remove": (edit, three) => remove(edit, `group:${edit.groupId}`, three),
  "block.remove": (edit, three) => remove(edit, `block:${edit.blockId}`, three),
  "variable.remove": (edit, three) => remove(edit, `variable:${edit.variableId}`, three),
  "event.remove": (edit, three) => remove(edit, `event:${edit.eventId}`, three),
  "block.move": (edit, { was, theirs }) => {
    const [before, there] = [was, theirs].map((draft) => homeOf(draft, edit.blockId)?.id)
    if (before === there || there === edit.groupId) return { edits: [edit] }
    const element = `block:${edit.blockId}`
    const conflict = { element, path: ["groupId"], before, mine: edit.groupId, theirs: there }
    return { conflicts: [conflict] }
  },
  "edge.put": (edit, three) => {
    const { edge } = edit
    const [before, there] = [three.was, three.theirs].map(({ edges }) =>
      edges.find(({ from }) => isSamePlace(from, edge.from)),
    )
    if (edit.isAlone || isEqual(before?.to, there?.to) || isEqual(there?.to, edge.to))
      return { edits: [edit] }
    const element = `edge:${there?.id ?? edge.id}`
    return {
      conflicts: [{ element, path: [], before, mine: edge, theirs: there, edits: [edit] }],
    }
  },
  "edge.remove": (edit, three) => remove(edit, `edge:${edit.edgeId}`, three),
  "theme.merge": (_, three) =>
    mergePart("theme", three, (theme) => ({ type: "theme.merge", theme })),
  "settings.merge": (_, three) =>
    mergePart("settings", three, (settings) => ({ type: "settings.merge", settings })),
  "bot.set": ({ type, ...members }, { was, mine, theirs }) => {
    const conflicts: Conflict[] = []
    const merged = Object.keys(members).map((key) => {
      const name = key as keyof BotMembers
      const three = { before: was[name], mine: mine[name], theirs: theirs[name] }
      const value = mergeMembers(three, (clash) =>
        conflicts.push({ ...clash, element: `bot.${name}` }),
      )
      return [name, value] as const
    })
    const changed = merged.filter(([name, value]) => !isEqual(value ?? null, theirs[name] ?? null))
    if (changed.length === 0) return { conflicts }
    return { edits: [{ type, ...Object.fromEntries(changed) }], conflicts }
  },
}

function rebase(edit: Edit, three: Three): Kept {
  return (rebases[edit.type] as Rebase<Edit["type"]>)(edit, three)
}

/** Merges what is put with what the others have there; a new element is put as it is. */
function put(
  edit: Edit,
  element: string,
  { was, mine, theirs }: Three,
  make: (merged: unknown) => Edit,
): Kept {
  const [before, own, there] = [was, mine, theirs].map((draft) => headOf(draft, element))
  if (before === undefined || there === undefined) return { edits: [edit] }
  const conflicts: Conflict[] = []
  const merged = mergeMembers({ before, mine: own, theirs: there }, (clash) =>
    conflicts.push({ ...clash, element }),
  )
  const isMoved = "index" in edit && edit.index !== undefined
  return { edits: isMoved || !isEqual(merged, there) ? [make(merged)] : [], conflicts }
}

/** An element as edits of its own change it. */
function headOf(draft: Draft, element: string): object | undefined {
  const found = elementAt(draft, element)
  if (!found || !element.startsWith("group:")) return found
  const { blocks: _, ...head } = found as Draft["groups"][number]
  return head
}

/** Removes what the others left as it was. */
function remove(edit: Edit, element: string, { was, theirs }: Three): Kept {
  const [before, there] = [was, theirs].map((draft) => contentOf(elementAt(draft, element)))
  if (isEqual(before, there)) return { edits: [edit] }
  const found = elementAt(theirs, element)
  const conflict = { element, path: [], before, mine: undefined, theirs: found, edits: [edit] }
  return { conflicts: [conflict] }
}

/** What an element says, without where it stands and what leads on from it. */
function contentOf(element: object | undefined): unknown {
  if (!element || !("blocks" in element)) return element && withoutExits(element)
  const { graphCoordinates: _, blocks, ...head } = element as Draft["groups"][number]
  return { ...head, blocks: blocks.map(withoutExits) }
}

function mergePart(
  part: "theme" | "settings",
  { was, mine, theirs }: Three,
  make: (patch: Members) => Edit,
): Kept {
  const conflicts: Conflict[] = []
  const three = { before: was[part], mine: mine[part], theirs: theirs[part] }
  const merged = mergeMembers(three, ({ path, ...clash }: Clash) => {
    const element = [part, ...path.slice(0, 2)].join(".")
    conflicts.push({ ...clash, element, path: path.slice(2) })
  })
  const patches = patchesBetween(theirs[part], merged as Members)
  return { edits: patches.map(make), conflicts }
}

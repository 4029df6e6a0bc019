/** Changes of two authors that cannot both be kept, and how the one that was given up is made after all. */
import { isEqual, isMembers, memberOf } from "../../lib/json.ts"
import type { Block } from "../blocks/registry.ts"
import type { BotMembers } from "../schema/botMembers.ts"
import { applyEdits } from "./applyEdits.ts"
import type { Draft } from "./draft.ts"
import { EditProblem } from "./editProblem.ts"
import type { Edit } from "./editSchema.ts"
import { patchesBetween } from "./mergePatch.ts"

/** A member that two authors changed, or an element that one changed and the other removed. */
export type Conflict = {
  /** The element, as `elementsOf` names it: `block:ID`, `theme.chat.inputs`, `bot.name`. */
  element: string
  /** Path of the member in the element, where entries of lists are named by their ids; empty: the element itself. */
  path: readonly string[]
  before: unknown
  /** Undefined: this author removed it. */
  mine: unknown
  /** Undefined: the other author removed it. */
  theirs: unknown
  /** Absent: the member becomes `mine`. */
  edits?: readonly Edit[]
}

/** The edits that make a draft have `mine`, as the draft is now; none: it has it, or it cannot any more. */
export function takeMine(draft: Draft, conflict: Conflict): Edit[] {
  const taken: Edit[] = []
  let now = draft
  for (const edit of conflict.edits ?? editsOfMember(draft, conflict)) {
    try {
      const fitting = withoutPresentBlocks(now, edit)
      now = applyEdits(now, [fitting]).draft
      taken.push(fitting)
    } catch (error) {
      // What it needs was removed since; the rest may still be made.
      if (!(error instanceof EditProblem)) throw error
    }
  }
  return taken
}

/** Blocks of a group to restore may have been moved to another one before it was removed. */
function withoutPresentBlocks(draft: Draft, edit: Edit): Edit {
  if (edit.type !== "group.put" || !edit.group.blocks) return edit
  const present = new Set(draft.groups.flatMap(({ blocks }) => blocks.map(({ id }) => id)))
  const blocks = edit.group.blocks.filter(({ id }) => !present.has(id))
  return { ...edit, group: { ...edit.group, blocks } }
}

function editsOfMember(draft: Draft, { element, path, mine }: Conflict): Edit[] {
  const [, kind = "", separator, name = ""] = /^(\w+)([:.])(.*)$/.exec(element) ?? []
  if (separator === ".") return editsOfPart(draft, kind, [...name.split("."), ...path], mine)
  const now = elementAt(draft, element)
  if (now === undefined) return []
  const next = withValue(now, path, mine)
  if (isEqual(next, now)) return []
  if (kind === "group") return [{ type: "group.put", group: next } as Edit]
  if (kind === "variable") return [{ type: "variable.put", variable: next } as Edit]
  if (kind === "event") return [{ type: "event.put", event: next } as Edit]
  const home = homeOf(draft, name)
  if (home === undefined) return []
  if (path[0] !== "groupId") return [{ type: "block.put", groupId: home.id, block: next as Block }]
  const index = draft.groups.find(({ id }) => id === mine)?.blocks.length ?? 0
  return [{ type: "block.move", blockId: name, groupId: String(mine), index }]
}

function editsOfPart(draft: Draft, part: string, path: readonly string[], mine: unknown): Edit[] {
  if (part === "theme" || part === "settings") {
    const next = withValue(draft[part], path, mine) as Draft[typeof part]
    return patchesBetween(draft[part], next).map(
      (patch): Edit =>
        part === "theme"
          ? { type: "theme.merge", theme: patch }
          : { type: "settings.merge", settings: patch },
    )
  }
  const name = path[0] as keyof BotMembers
  return [{ type: "bot.set", [name]: withValue(draft[name], path.slice(1), mine) ?? null }]
}

/** The value with another one at a path; undefined removes it. An entry that is gone changes nothing. */
function withValue(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next
  if (Array.isArray(value)) {
    const at = value.findIndex((entry) => isMembers(entry) && memberOf(entry, "id") === key)
    return at === -1 ? value : value.with(at, withValue(value[at], rest, next))
  }
  const { [key]: part, ...others } = isMembers(value) ? value : {}
  const changed = withValue(part, rest, next)
  return changed === undefined ? others : { ...(value as object), [key]: changed }
}

/** A group, block, edge, variable or event by its name, such as `block:ID`; undefined: there is none. */
export function elementAt(draft: Draft, element: string): { id: string } | undefined {
  const at = element.indexOf(":")
  const id = element.slice(at + 1)
  const lists: Readonly<Record<string, readonly { id: string }[] | null>> = {
    group: draft.groups,
    edge: draft.edges,
    variable: draft.variables,
    event: draft.events,
    block: homeOf(draft, id)?.blocks ?? null,
  }
  return lists[element.slice(0, at)]?.find((each) => each.id === id)
}

/** The group of a block. */
export function homeOf({ groups }: Draft, blockId: string) {
  return groups.find(({ blocks }) => blocks.some(({ id }) => id === blockId))
}

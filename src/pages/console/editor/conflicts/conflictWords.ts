/** A conflict in words: what it is about, and what each author made of it. */
import type { DraftConflict } from "@parley/client/draft"
import { useTexts } from "../../shell/texts.ts"
import { useCatalogue } from "../../shell/useCatalogue.ts"
import { isRecord, type Schema, shapesOf } from "../blocks/blockSchema.ts"
import { useWords } from "../canvas/blockWords.ts"
import { placeOf } from "../canvas/flowEdits.ts"
import { textAt } from "../canvas/reading.ts"
import { paragraphsOf } from "../canvas/richTextWords.ts"
import { type Block, useEditing } from "../editing.ts"
import { conflictTexts } from "./conflictTexts.ts"

export type ConflictWords = {
  /** The member or the element. */
  what: string
  who: string
  mine: string
  theirs: string
}

/** Longer values are cut: what differs in them is seen in the element. */
const maxShown = 300

export function useConflictWords(): (conflict: DraftConflict) => ConflictWords {
  const t = useTexts(conflictTexts)
  const { bot, entryOf, catalogue } = useEditing()
  const data = useCatalogue()
  const words = useWords(bot)
  const titleOf = (groupId: unknown) =>
    bot.groups.find(({ id }) => id === groupId)?.title ?? String(groupId)

  const blockWords = (id: string, given: unknown): string => {
    const place = placeOf(bot, id)
    const block =
      place?.group.blocks[place.index] ?? (isRecord(given) ? (given as Block) : undefined)
    if (block === undefined) return id
    const { label, summary } = words.ofBlock(block, entryOf(block.type))
    if (place) return t.blockIn(label, place.group.title)
    return summary ? `${label} “${summary.slice(0, 60)}”` : label
  }
  const eventWords = (id: string, given: unknown) => {
    const type = bot.events?.find((each) => each.id === id)?.type ?? textAt(given, "type")
    return catalogue.find((each) => each.kind === "event" && each.type === type)?.label ?? type
  }

  /** The element, and the schema of its members. */
  const elementOf = ({ element, mine, theirs }: DraftConflict): [string, Schema | undefined] => {
    const [, kind = "", id = ""] = /^(\w+)[:.](.*)$/s.exec(element) ?? []
    const given = mine ?? theirs
    switch (kind) {
      case "block": {
        const place = placeOf(bot, id)
        const type = place?.group.blocks[place.index]?.type
        const entry = type === undefined ? undefined : entryOf(type)
        return [blockWords(id, given), entry?.schema as Schema | undefined]
      }
      case "event":
        return [eventWords(id, given), undefined]
      case "group":
        return [t.group(textAt(given, "title") || titleOf(id)), undefined]
      case "variable": {
        const name = bot.variables.find((each) => each.id === id)?.name
        return [t.variable(name ?? textAt(given, "name")), undefined]
      }
      case "edge": {
        const { eventId = "", blockId } = (isRecord(given) ? given.from : {}) as Edge["from"]
        const from = blockId === undefined ? eventWords(eventId, {}) : blockWords(blockId, {})
        return [t.exitOf(from), undefined]
      }
      case "theme":
        return [t.theme, data.theme as Schema]
      case "settings":
        return [t.settings, data.settings as Schema]
      default:
        return [t.bot, undefined]
    }
  }

  const pathOf = ({ element, path }: DraftConflict) =>
    element.includes(":") ? path : [...element.split(".").slice(1), ...path]

  const shown = (value: unknown, name: string): string => {
    if (value === undefined || value === null || value === "") return t.nothing
    if (name === "richText") return paragraphsOf({ content: { richText: value } }).join("\n")
    if (name === "groupId") return titleOf(value)
    if (value === true) return t.yes
    if (value === false) return t.no
    if (/variableId$/i.test(name))
      return bot.variables.find(({ id }) => id === value)?.name ?? String(value)
    if (isRecord(value) && isRecord(value.to)) return titleOf(value.to.groupId)
    return typeof value === "object" ? JSON.stringify(value, null, 1) : String(value)
  }

  return (conflict) => {
    const [element, schema] = elementOf(conflict)
    const path = pathOf(conflict)
    const name = path.at(-1) ?? ""
    const own: Readonly<Record<string, string>> = {
      ...t.members,
      title: t.title,
      groupId: t.groupId,
    }
    const member = (schema && titleIn(schema, path)) ?? own[name] ?? name
    const cut = (value: unknown) => shown(value, name).slice(0, maxShown)
    const ofMember = name === "richText" ? t.wordsOf(element) : t.memberOf(member, element)
    return {
      what: path.length === 0 ? element : ofMember,
      who: conflict.by?.name || conflict.by?.email || t.someone,
      mine: cut(conflict.mine),
      theirs: cut(conflict.theirs),
    }
  }
}

type Edge = ReturnType<typeof useEditing>["bot"]["edges"][number]

/** The title of the member at a path, in whichever shape has it. */
function titleIn(schema: Schema, [key, ...rest]: readonly string[]): string | undefined {
  if (key === undefined) return schema.title
  const { properties, items } = schema
  const found = properties?.[key] ?? items
  if (found) return titleIn(found, rest)
  for (const shape of shapesOf(schema)) {
    const title = titleIn(shape, [key, ...rest])
    if (title !== undefined) return title
  }
  return undefined
}

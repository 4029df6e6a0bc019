/** What people do with the flow, from whichever view, key or menu. */
import type { Edit } from "@parley/client/edit"
import { maxEdits } from "@parley/client/edit"
import { useMemo, useRef } from "react"
import { notify } from "../../shell/notify.ts"
import { useTexts } from "../../shell/texts.ts"
import {
  type Block,
  type CatalogueEntry,
  type Editing,
  useEditing,
  useSelected,
} from "../editing.ts"
import type { Alignment, Placed } from "./arrange.ts"
import { align, arrange } from "./arrange.ts"
import type { Element } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { type BotEvent, type Edge, type Exit, nodeIdOf } from "./exitsOf.ts"
import { copyOf, pasteEdits, readCopied, writeCopied } from "./flowClipboard.ts"
import {
  addBlock,
  addGroup,
  connect,
  freeTitle,
  linksOf,
  moveBlocks,
  newBlock,
  newGroup,
  placeOf,
  putGroup,
  removeSelection,
  roundedPoint,
  stepOf,
} from "./flowEdits.ts"
import { layoutGroup, sizes } from "./groupLayout.ts"
import { nothingSelected, type Point, type Selection, type Slot } from "./selection.ts"

/** The part of the view that commands need. */
export type Stage = {
  selection: Selection
  setSelection(selection: Selection): void
  /** A free place in view, for what is added without a place of its own. */
  freePlace(): Point
  /** Where nodes are shown, if the draft does not know it yet. */
  shownAt(nodeId: string): Point | undefined
  /** Says something to people who do not see the canvas. */
  announce(words: string): void
}

export type Commands = ReturnType<typeof makeCommands>

export function useCommands(stage: Stage): Commands {
  const editing = useEditing()
  const selected = useSelected()
  const t = useTexts(canvasTexts)
  const now = useRef({ editing, selected, stage, t })
  now.current = { editing, selected, stage, t }
  return useMemo(() => makeCommands(() => now.current), [])
}

type Now = {
  editing: Editing
  selected: ReturnType<typeof useSelected>
  stage: Stage
  t: (typeof canvasTexts)["en"]
}

const only = (part: Partial<Selection>): Selection => ({ ...nothingSelected, ...part })

function makeCommands(now: () => Now) {
  const commit = (edits: readonly Edit[]) => {
    for (let at = 0; at < edits.length; at += maxEdits)
      now().editing.edit(edits.slice(at, at + maxEdits))
  }
  const titleOf = () => freeTitle(now().editing.bot, now().t.groupTitle)

  /** Opens the options of a block or an event; undefined: of none. */
  const show = (id: string | undefined) => {
    const { select, try: isTrying } = now().selected
    select({ ...(isTrying && { try: isTrying }), ...(id !== undefined && { block: id }) })
  }

  /** The selection, else what is open. */
  const chosen = (): Selection => {
    const { stage, selected, editing } = now()
    const { selection } = stage
    const isEmpty = Object.values(selection).every(({ size }) => size === 0)
    if (!isEmpty || selected.block === undefined) return selection
    const isEvent = editing.bot.events?.some(({ id }) => id === selected.block)
    const ids = new Set([selected.block])
    return only(isEvent ? { events: ids } : { blocks: ids })
  }

  /** What a menu is about: the whole selection if the element is in it. */
  const chosenWith = ({ type, id }: Element): Selection => {
    const key = `${type}s` as const
    const selection = chosen()
    return selection[key].has(id) ? selection : only({ [key]: new Set([id]) })
  }

  const open = ({ type, id }: Element, isAdded: boolean) => {
    const { stage } = now()
    const key = `${type}s` as keyof Selection
    if (!isAdded) {
      stage.setSelection(only({ [key]: new Set([id]) }))
      if (type === "block" || type === "event") show(id)
      return
    }
    const ids = new Set(chosen()[key])
    if (!ids.delete(id)) ids.add(id)
    stage.setSelection({ ...stage.selection, [key]: ids })
  }

  /** Where what is added goes: after the selected block, into the selected group, else a new one. */
  const usualSlot = ({ blocks, groups } = chosen()): Slot => {
    const { editing, stage } = now()
    const place = [...blocks].map((id) => placeOf(editing.bot, id)).findLast(Boolean)
    if (place) return { groupId: place.group.id, index: place.index + 1 }
    const group = editing.bot.groups.find(({ id }) => groups.has(id))
    return group ? { groupId: group.id, index: group.blocks.length } : { at: stage.freePlace() }
  }

  /** Adds what the catalogue has, shows its options, and returns its id. */
  const add = (entry: CatalogueEntry, slot: Slot = usualSlot()): string => {
    const { editing, stage, t } = now()
    const block = newBlock(entry)
    if (entry.kind === "event") {
      const at = "at" in slot ? slot.at : stage.freePlace()
      const event = { ...block, graphCoordinates: roundedPoint(at) } as unknown as BotEvent
      commit([{ type: "event.put", event }])
      open({ type: "event", id: event.id }, false)
      return event.id
    }
    const title = titleOf()
    commit(addBlock(editing.bot, block, slot, title))
    open({ type: "block", id: block.id }, false)
    const home =
      "at" in slot ? title : editing.bot.groups.find(({ id }) => id === slot.groupId)?.title
    stage.announce(t.added(entry.label, home ?? ""))
    return block.id
  }

  const move = (ids: readonly string[], slot: Slot) => {
    const { editing, stage, t } = now()
    const edits = moveBlocks(editing.bot, ids, slot, titleOf())
    commit(edits)
    const [first = ""] = ids
    const place = placeOf(now().editing.bot, first)
    if (!("at" in slot)) {
      const title = editing.bot.groups.find(({ id }) => id === slot.groupId)?.title ?? ""
      const last = edits.at(-1)
      stage.announce(
        t.movedTo(title, (last?.type === "block.move" ? last.index : (place?.index ?? 0)) + 1),
      )
    }
  }

  const remove = (selection: Selection) => {
    const { editing, selected, stage, t } = now()
    const { edits, ...counts } = removeSelection(editing.bot, selection)
    if (edits.length === 0) return
    commit(edits)
    stage.setSelection(nothingSelected)
    if (selected.block !== undefined) show(undefined)
    void notify({ message: t.deleted(counts) })
  }

  const paste = (text: string, original?: { at: Point; slot: Slot }) => {
    const { editing, stage, t } = now()
    const copied = readCopied(text)
    if (!copied) return void notify({ message: t.nothingToPaste, isProblem: true })
    const titles = new Set(editing.bot.groups.map(({ title }) => title))
    const pasted = pasteEdits(editing.bot, copied, {
      at: original?.at ?? stage.freePlace(),
      slot: original?.slot ?? usualSlot(),
      titleOf: (title) =>
        title === "" ? titleOf() : original || titles.has(title) ? t.copyTitle(title) : title,
    })
    commit(pasted.edits)
    stage.setSelection({
      ...nothingSelected,
      groups: new Set(pasted.groups),
      events: new Set(pasted.events),
      blocks: new Set(pasted.blocks),
    })
  }

  const placed = (selection?: Selection): Placed[] => {
    const { editing, stage } = now()
    const { bot, entryOf } = editing
    const groups = bot.groups
      .filter(({ id }) => !selection || selection.groups.has(id))
      .map((group) => {
        const at = stage.shownAt(nodeIdOf.group(group.id)) ?? group.graphCoordinates
        return {
          id: `group ${group.id}`,
          ...at,
          width: sizes.width,
          height: layoutGroup(group, entryOf).height,
        }
      })
    const events = (bot.events ?? [])
      .filter(({ id }) => !selection || selection.events.has(id))
      .map((event) => {
        const at = stage.shownAt(nodeIdOf.event(event.id)) ?? event.graphCoordinates
        return { id: `event ${event.id}`, ...at, ...sizes.event }
      })
    return [...events, ...groups]
  }

  /** Saves places, by ids as `placed` makes them. */
  const place = (places: ReadonlyMap<string, Point>) => {
    const { groups, events } = now().editing.bot
    const isNew = (one: Point, other: Point) => one.x !== other.x || one.y !== other.y
    commit([
      ...groups.flatMap((group): Edit[] => {
        const at = places.get(`group ${group.id}`)
        return at && isNew(roundedPoint(at), group.graphCoordinates)
          ? [putGroup(group, { at })]
          : []
      }),
      ...(events ?? []).flatMap((event): Edit[] => {
        const at = places.get(`event ${event.id}`)
        if (!at || !isNew(roundedPoint(at), event.graphCoordinates)) return []
        return [{ type: "event.put", event: { ...event, graphCoordinates: roundedPoint(at) } }]
      }),
    ])
  }

  return {
    open,
    show,
    chosen,
    chosenWith,
    add,
    move,
    remove,
    paste,
    place,
    undo: () => now().editing.undo(),
    redo: () => now().editing.redo(),
    addGroup(at: Point = now().stage.freePlace()) {
      const group = newGroup(at, titleOf())
      commit(addGroup(now().editing.bot, group))
      open({ type: "group", id: group.id }, false)
    },
    rename(groupId: string, title: string) {
      const group = now().editing.bot.groups.find(({ id }) => id === groupId)
      if (group) commit([putGroup(group, { title })])
    },
    put(block: Block, former?: Block) {
      const groupId = placeOf(now().editing.bot, block.id)?.group.id
      if (groupId === undefined) return
      const edit = (each: Block): Edit[] => [{ type: "block.put", groupId, block: each }]
      now().editing.edit(edit(block), former && edit(former))
    },
    step(blockId: string, way: Parameters<typeof stepOf>[2]) {
      const slot = stepOf(now().editing.bot, blockId, way)
      if (slot) move([blockId], slot)
    },
    /** Leads an exit to a group or a block, or to a new group at a point. */
    lead(exit: Exit, to: Edge["to"] | { at: Point }) {
      const { bot } = now().editing
      if (!("at" in to)) return commit([connect(bot, exit, to)])
      const group = newGroup(to.at, titleOf())
      commit([{ type: "group.put", group }, connect(bot, exit, { groupId: group.id })])
      now().stage.setSelection(only({ groups: new Set([group.id]) }))
    },
    disconnect: (edgeId: string) => commit([{ type: "edge.remove", edgeId }]),
    /** The text for the clipboard; undefined: nothing is selected. */
    copied(selection: Selection): string | undefined {
      const copied = copyOf(now().editing.bot, selection)
      return copied && writeCopied(copied)
    },
    duplicate(selection: Selection) {
      const copied = copyOf(now().editing.bot, selection)
      if (!copied) return
      const first = [...copied.groups, ...copied.events][0]
      const { x, y } = first?.graphCoordinates ?? { x: 0, y: 0 }
      paste(writeCopied(copied), { at: { x: x + 48, y: y + 48 }, slot: usualSlot(selection) })
    },
    align: (how: Alignment) => place(align(placed(chosen()), how)),
    tidy: () => place(arrange(placed(), linksOf(now().editing.bot))),
    arranged: () => arrange(placed(), linksOf(now().editing.bot)),
    selectAll() {
      const { bot } = now().editing
      now().stage.setSelection(
        only({
          groups: new Set(bot.groups.map(({ id }) => id)),
          events: new Set((bot.events ?? []).map(({ id }) => id)),
        }),
      )
    },
  }
}

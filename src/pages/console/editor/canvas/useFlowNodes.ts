/** What React Flow shows of the draft, and what it reports back: places, and what is selected. */
import { type EdgeChange, type NodeChange, useStore } from "@xyflow/react"
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react"
import { useEditing, useSelected } from "../editing.ts"
import { arrange, isUnplaced } from "./arrange.ts"
import { useOthers } from "./EditorHeader.tsx"
import { nodeIdOf } from "./exitsOf.ts"
import { linksOf } from "./flowEdits.ts"
import {
  type DrawnFlow,
  type FlowLine,
  type FlowModel,
  type FlowNode,
  linesIn,
  type Others,
  openFlowModel,
  type Person,
  type Shown,
  type View,
} from "./flowModel.ts"
import { sizes } from "./groupLayout.ts"
import { nothingSelected, type Point, type Selection } from "./selection.ts"

/** Flows up to here are always drawn whole. */
const smallFlow = 40
/** From here on, texts can be read. */
const readableZoom = 0.4
/** The view is known in steps of so many pixels, so that most movements change nothing. */
const tile = 600

/** What is in view, with a margin, in steps. */
function useView(isSmall: boolean): View {
  const key = useStore(({ transform: [x, y, zoom], width, height }) => {
    if (isSmall) return ""
    const step = tile / zoom
    const [left, top] = [Math.floor(-x / zoom / step) - 1, Math.floor(-y / zoom / step) - 1]
    const [across, down] = [Math.ceil(width / tile) + 3, Math.ceil(height / tile) + 3]
    // Zooming changes the size of a step, which a step of its own keeps from changing with each frame.
    const near = zoom >= readableZoom ? 1 : 0
    return [left * step, top * step, (left + across) * step, (top + down) * step, near]
      .map(Math.round)
      .join()
  })
  const settled = useDeferredValue(key)
  return useMemo(() => {
    if (settled === "") {
      const all = Number.POSITIVE_INFINITY
      return { left: -all, top: -all, right: all, bottom: all, isNear: true }
    }
    const [left = 0, top = 0, right = 0, bottom = 0, near] = settled.split(",").map(Number)
    return { left, top, right, bottom, isNear: near === 1 }
  }, [settled])
}

function useOthersByElement(): Others {
  const others = useOthers()
  return useMemo(() => {
    const byElement = new Map<string, Person[]>()
    for (const person of others) {
      if (!person.focus) continue
      byElement.set(person.focus, [...(byElement.get(person.focus) ?? []), person])
    }
    return byElement
  }, [others])
}

/** Where a flow without places of its own is drawn; nothing for others. */
export function placesOf(bot: DrawnFlow, model: FlowModel): ReadonlyMap<string, Point> {
  if (!isUnplaced(bot.groups.map(({ graphCoordinates }) => graphCoordinates))) return new Map()
  const boxes = [
    ...(bot.events ?? []).map(({ id }) => ({ id: `event ${id}`, ...sizes.event })),
    ...bot.groups.map((group) => ({
      id: `group ${group.id}`,
      width: sizes.width,
      height: model.layoutOf(group).height,
    })),
  ]
  return new Map(
    [...arrange(boxes, linksOf(bot))].map(([key, at]) => {
      const isGroup = key.startsWith("group ")
      const id = key.slice("group ".length)
      return [isGroup ? nodeIdOf.group(id) : nodeIdOf.event(id), at]
    }),
  )
}

/** The nodes and lines of what is in view. */
export function useDrawing(model: FlowModel, shown: Omit<Shown, "view">) {
  const { bot, moved, selection, open, others } = shown
  const view = useView(bot.groups.length <= smallFlow)
  const nodes = useMemo(
    () => model.nodesOf({ bot, moved, selection, open, view, others }),
    [model, bot, moved, selection, open, view, others],
  )
  const allLines = useMemo(
    () => model.linesOf(nodes, bot, selection),
    [model, nodes, bot, selection],
  )
  /** Those that may be seen; from afar none. */
  const lines = useMemo(
    () => (view.isNear ? linesIn(view, allLines, nodes) : []),
    [view, allLines, nodes],
  )
  return { nodes, lines, allLines, isFar: !view.isNear }
}

export function useFlowNodes() {
  const { bot, entryOf } = useEditing()
  const { block: open } = useSelected()
  const [selection, setSelection] = useState<Selection>(nothingSelected)
  const [model] = useState(() => openFlowModel(entryOf))
  const [moved, setMoved] = useState(() => placesOf(bot, model))
  const others = useOthersByElement()
  const { nodes, ...drawn } = useDrawing(model, { bot, moved, selection, open, others })

  const latest = useRef({ nodes, moved })
  useEffect(() => {
    latest.current = { nodes, moved }
  })
  const idsOf = (nodeId: string): [keyof Selection, string] | undefined => {
    const node = latest.current.nodes.find(({ id }) => id === nodeId)
    if (!node) return undefined
    return node.type === "blocks" ? ["groups", node.data.group.id] : ["events", node.data.event.id]
  }

  /** Takes over where nodes are dragged and which are selected; returns whether one came to rest. */
  const takeNodes = (changes: readonly NodeChange<FlowNode>[]): boolean => {
    const places = changes.flatMap((change) =>
      change.type === "position" && change.position ? [[change.id, change.position] as const] : [],
    )
    if (places.length > 0) setMoved((former) => new Map([...former, ...places]))
    const chosen = changes.flatMap((change) => {
      const ids = change.type === "select" ? idsOf(change.id) : undefined
      return ids && change.type === "select" ? [[...ids, change.selected] as const] : []
    })
    if (chosen.length > 0) setSelection((former) => withChosen(former, chosen))
    return changes.some((change) => change.type === "position" && change.dragging !== true)
  }
  const takeLines = (changes: readonly EdgeChange<FlowLine>[]) => {
    const chosen = changes.flatMap((change) =>
      change.type === "select" ? [["edges", change.id, change.selected] as const] : [],
    )
    if (chosen.length > 0) setSelection((former) => withChosen(former, chosen))
  }
  /** Where nodes are shown beside where the draft has them, by ids as commands have them; they are forgotten. */
  const takePlaces = (): ReadonlyMap<string, Point> => {
    const places = new Map<string, Point>()
    for (const node of latest.current.nodes) {
      const at = latest.current.moved.get(node.id)
      if (!at) continue
      const id =
        node.type === "blocks" ? `group ${node.data.group.id}` : `event ${node.data.event.id}`
      places.set(id, at)
    }
    setMoved(new Map())
    return places
  }
  return {
    nodes,
    ...drawn,
    moved,
    selection,
    setSelection,
    takeNodes,
    takeLines,
    takePlaces,
  }
}

type Chosen = readonly [kind: keyof Selection, id: string, isChosen: boolean]

function withChosen(former: Selection, changes: readonly Chosen[]): Selection {
  const next = { ...former }
  for (const [kind, id, isChosen] of changes) {
    const ids = new Set(next[kind])
    if (isChosen) ids.add(id)
    else ids.delete(id)
    next[kind] = ids
  }
  // A group or an edge that is chosen with the pointer takes the place of blocks.
  if (changes.some(([, , isChosen]) => isChosen)) next.blocks = nothingSelected.blocks
  return next
}

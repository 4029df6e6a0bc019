/** The nodes and edges that the canvas shows of a draft. Those of unchanged parts are the same objects again. */
import type { Edge as LineOf, Node, NodeHandle } from "@xyflow/react"
import { Position } from "@xyflow/react"
import type { Bot, BotGroup, CatalogueEntry, Editing } from "../editing.ts"
import { type BotEvent, type Edge, type Exit, entryKey, exitOfEvent, nodeIdOf } from "./exitsOf.ts"
import { type GroupLayout, layoutGroup, sizes } from "./groupLayout.ts"
import { type Box, routeEdge } from "./routeEdge.ts"
import type { Point, Selection } from "./selection.ts"

export type Person = Editing["present"][number]

/** Others, by the element that they are at. */
export type Others = ReadonlyMap<string, readonly Person[]>

export type GroupData = {
  group: BotGroup
  layout: GroupLayout
  /** Whether it is too far or too small to be read: its title is all that it shows. */
  isLight: boolean
  /** Ids of selected blocks of this group; undefined: none. */
  selected: readonly string[] | undefined
  others: readonly (readonly [element: string, people: readonly Person[]])[] | undefined
}
export type EventData = {
  event: BotEvent
  entry: CatalogueEntry | undefined
  exit: Exit
  isOpen: boolean
  others: readonly Person[] | undefined
}
export type GroupNode = Node<GroupData, "blocks">
export type EventNode = Node<EventData, "event">
export type FlowNode = GroupNode | EventNode

/** Heights of the boxes at both ends, and of the handles within them. */
export type LineData = { from: { y: number; height: number }; to: { y: number; height: number } }
export type FlowLine = LineOf<LineData, "flow">

/** What is seen, in the coordinates of the flow; `isNear`: texts can be read. */
export type View = { left: number; top: number; right: number; bottom: number; isNear: boolean }

/** The parts of a bot that are drawn. */
export type DrawnFlow = Pick<Bot, "events" | "groups" | "edges">

export type Shown = {
  bot: DrawnFlow
  /** Places that differ from those of the draft, by node. */
  moved: ReadonlyMap<string, Point>
  selection: Selection
  /** The block or event whose options are open. */
  open: string | undefined
  view: View
  others: Others
}

export type FlowModel = ReturnType<typeof openFlowModel>

const handleSize = 16
const titleMiddle = sizes.header / 2

/** Keeps what it made, for the next draft. */
export function openFlowModel(entryOf: (type: string) => CatalogueEntry | undefined) {
  const layouts = new WeakMap<BotGroup, GroupLayout>()
  const handles = new WeakMap<GroupLayout, NodeHandle[]>()
  const layoutOf = (group: BotGroup): GroupLayout => {
    const layout = layouts.get(group) ?? layoutGroup(group, entryOf)
    layouts.set(group, layout)
    return layout
  }
  const handlesOf = (layout: GroupLayout): NodeHandle[] => {
    const found = handles.get(layout) ?? handlesIn(layout)
    handles.set(layout, found)
    return found
  }
  const keptNodes = openKept<FlowNode>()
  const keptLines = openKept<FlowLine>()

  const groupNode = (
    group: BotGroup,
    { moved, selection, open, view, others }: Shown,
  ): FlowNode => {
    const id = nodeIdOf.group(group.id)
    const layout = layoutOf(group)
    const position = moved.get(id) ?? group.graphCoordinates
    const isLight = !view.isNear || !isIn(view, { ...position, height: layout.height })
    const selected = group.blocks.flatMap(({ id: blockId }) =>
      selection.blocks.has(blockId) || blockId === open ? [blockId] : [],
    )
    const here = othersIn(group, others)
    const isSelected = selection.groups.has(group.id)
    const { x, y } = position
    const reasons = [group, x, y, isLight, isSelected, selected.join("\n"), here]
    return keptNodes.keep(id, reasons, () => ({
      id,
      type: "blocks",
      position,
      ...(group.title !== "" && { ariaLabel: group.title }),
      data: {
        group,
        layout,
        isLight,
        selected: selected.length > 0 ? selected : undefined,
        others: here,
      },
      selected: isSelected,
      width: sizes.width,
      height: layout.height,
      measured: { width: sizes.width, height: layout.height },
      handles: handlesOf(layout),
    }))
  }

  const eventNode = (event: BotEvent, { moved, selection, open, others }: Shown): FlowNode => {
    const id = nodeIdOf.event(event.id)
    const position = moved.get(id) ?? event.graphCoordinates
    const isSelected = selection.events.has(event.id)
    const isOpen = event.id === open
    const here = others.get(event.id)
    const { x, y } = position
    return keptNodes.keep(id, [event, x, y, isSelected, isOpen, here], () => ({
      id,
      type: "event",
      position,
      data: { event, entry: entryOf(event.type), exit: exitOfEvent(event), isOpen, others: here },
      selected: isSelected,
      ...sizes.event,
      measured: { ...sizes.event },
      handles: [
        handleAt(exitOfEvent(event).key, "source", sizes.event.width, sizes.event.height / 2),
      ],
    }))
  }

  const nodesOf = (shown: Shown): FlowNode[] => {
    const { bot } = shown
    const seen = new Set<string>()
    // Of equal ids, edits mean the first.
    const isFirst = ({ id }: FlowNode) => !seen.has(id) && seen.add(id)
    const nodes = [
      ...(bot.events ?? []).map((event) => eventNode(event, shown)),
      ...bot.groups.map((group) => groupNode(group, shown)),
    ].filter(isFirst)
    keptNodes.forgetOthers()
    return nodes
  }

  /** The edges between nodes, each with its ends. */
  const linesOf = (
    nodes: readonly FlowNode[],
    bot: DrawnFlow,
    selection: Selection,
  ): FlowLine[] => {
    const edges = new Map<string, Edge>(bot.edges.map((edge) => [edge.id, edge]))
    const byId = new Map(nodes.map((node) => [node.id, node]))
    const lines: FlowLine[] = []
    const drawn = new Set<string>()
    for (const node of nodes) {
      for (const { exit, y } of exitsIn(node)) {
        const edge = exit.edgeId === undefined ? undefined : edges.get(exit.edgeId)
        if (!edge || drawn.has(edge.id)) continue
        const target = byId.get(nodeIdOf.group(edge.to.groupId))
        if (target?.type !== "blocks") continue
        drawn.add(edge.id)
        const { key, at } = entryOfGroup(target.data.layout, edge.to.blockId)
        const isSelected = selection.edges.has(edge.id)
        const from = { y, height: node.height ?? 0 }
        const to = { y: at, height: target.height ?? 0 }
        const reasons = [edge, exit.key, y, from.height, at, to.height, isSelected]
        lines.push(
          keptLines.keep(edge.id, reasons, () => ({
            id: edge.id,
            type: "flow",
            source: node.id,
            sourceHandle: exit.key,
            target: target.id,
            targetHandle: key,
            selected: isSelected,
            data: { from, to },
          })),
        )
      }
    }
    keptLines.forgetOthers()
    return lines
  }

  return { layoutOf, nodesOf, linesOf }
}

/** Where an edge enters a group: at its title, or at a block that is not its first. */
function entryOfGroup(layout: GroupLayout, blockId: string | undefined) {
  const index = layout.blocks.findIndex(({ block }) => block.id === blockId)
  const found = index > 0 ? layout.blocks[index] : undefined
  if (!found) return { key: "in", at: titleMiddle }
  return { key: entryKey(found.block.id), at: entryY(found) }
}

const entryY = ({ y }: { y: number }) => y + sizes.padding + sizes.line / 2

function exitsIn(node: FlowNode): GroupLayout["exits"] {
  if (node.type === "blocks") return node.data.layout.exits
  return [{ exit: node.data.exit, y: sizes.event.height / 2 }]
}

function handlesIn(layout: GroupLayout): NodeHandle[] {
  return [
    handleAt("in", "target", 0, titleMiddle),
    ...layout.blocks.map((block) => handleAt(entryKey(block.block.id), "target", 0, entryY(block))),
    ...layout.exits.map(({ exit, y }) => handleAt(exit.key, "source", sizes.width, y)),
  ]
}

function handleAt(id: string, type: "source" | "target", x: number, y: number): NodeHandle {
  const isSource = type === "source"
  return {
    id,
    type,
    position: isSource ? Position.Right : Position.Left,
    // Lines begin at its outer side.
    x: isSource ? x - handleSize : x,
    y: y - handleSize / 2,
    width: handleSize,
    height: handleSize,
  }
}

function othersIn(group: BotGroup, others: Others): GroupData["others"] {
  if (others.size === 0) return undefined
  const ids = [group.id, ...group.blocks.map(({ id }) => id)]
  const here = ids.flatMap((id) => {
    const people = others.get(id)
    return people ? [[id, people] as const] : []
  })
  return here.length > 0 ? here : undefined
}

/** Whether a box of a group's width is in view. */
function isIn(view: View, { x, y, height }: Box): boolean {
  return x < view.right && x + sizes.width > view.left && y < view.bottom && y + height > view.top
}

/** The ends of a line on the canvas. */
function endsOf(line: FlowLine, byId: ReadonlyMap<string, FlowNode>) {
  const source = byId.get(line.source)
  const target = byId.get(line.target)
  if (!source || !target || !line.data) return undefined
  const { from, to } = line.data
  return {
    source: { x: source.position.x + (source.width ?? 0), y: source.position.y + from.y },
    target: { x: target.position.x, y: target.position.y + to.y },
    sourceBox: { ...source.position, height: from.height },
    targetBox: { ...target.position, height: to.height },
  }
}

/** The lines that may cross what is seen. */
export function linesIn(
  view: View,
  lines: readonly FlowLine[],
  nodes: readonly FlowNode[],
): FlowLine[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return lines.filter((line) => {
    const ends = endsOf(line, byId)
    if (!ends) return false
    const { source, target } = ends
    return (
      Math.min(source.x, target.x) < view.right &&
      Math.max(source.x, target.x) > view.left &&
      Math.min(source.y, target.y) < view.bottom &&
      Math.max(source.y, target.y) > view.top
    )
  })
}

/** All lines as one path, for views from afar. */
export function pathOf(lines: readonly FlowLine[], nodes: readonly FlowNode[]): string {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  return lines
    .map((line) => {
      const ends = endsOf(line, byId)
      return ends ? routeEdge(ends) : ""
    })
    .join("")
}

/** Makes something again only if a reason for it has changed. */
function openKept<Made>() {
  let former = new Map<string, { reasons: readonly unknown[]; made: Made }>()
  let current: typeof former = new Map()
  return {
    keep(id: string, reasons: readonly unknown[], make: () => Made): Made {
      const known = former.get(id)
      const isSame = known?.reasons.every((reason, index) => isEqual(reason, reasons[index]))
      const kept = known && isSame ? known : { reasons, made: make() }
      current.set(id, kept)
      return kept.made
    },
    forgetOthers() {
      former = current
      current = new Map()
    },
  }
}

/** Lists of people are made anew with each message about them. */
function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true
  return Array.isArray(one) && Array.isArray(other) && JSON.stringify(one) === JSON.stringify(other)
}

/** The canvas itself. */
import { Text, useComputedColorScheme } from "@mantine/core"
import {
  Background,
  BackgroundVariant,
  type Connection,
  type FinalConnectionState,
  MiniMap,
  ReactFlow,
  SelectionMode,
  useReactFlow,
} from "@xyflow/react"
import { useCallback, useEffect, useMemo, useRef, useState } from "react"
import { useTexts } from "../../shell/texts.ts"
import { loadRichText } from "../blocks/RichTextField.tsx"
import { type CatalogueEntry, useEditing, useSelected } from "../editing.ts"
import { useWords } from "./blockWords.ts"
import classes from "./Canvas.module.css"
import { type CanvasActions, CanvasContext } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { EventNode } from "./EventNode.tsx"
import { type Edge, type Exit, entryKey, nodeIdOf } from "./exitsOf.ts"
import { FarFlow } from "./FarFlow.tsx"
import { Finder } from "./Finder.tsx"
import { EdgeHead, FlowEdge } from "./FlowEdge.tsx"
import { FlowMenu, type OpenMenu } from "./FlowMenu.tsx"
import { SelectionToolbar, type Tool, ViewToolbar } from "./FlowToolbar.tsx"
import { useFindingsByElement } from "./findingsByElement.ts"
import { placeOf } from "./flowEdits.ts"
import type { FlowLine, FlowNode } from "./flowModel.ts"
import { freePlace, gap } from "./freePlace.ts"
import { GroupNode } from "./GroupNode.tsx"
import { sizes } from "./groupLayout.ts"
import { Palette } from "./Palette.tsx"
import { nothingSelected } from "./selection.ts"
import { useCanvasKeys } from "./useCanvasKeys.ts"
import { useCommands } from "./useCommands.ts"
import { useDrag } from "./useDrag.tsx"
import { type OpenFinder, useFinderChoices } from "./useFinderChoices.ts"
import { useFlowNodes } from "./useFlowNodes.ts"
import { usePresence } from "./usePresence.ts"
import {
  legibleZoom,
  useIsPartly,
  useOpening,
  useRevealed,
  useViewport,
  zooms,
} from "./useViewport.ts"
import { boxAround, boxOf } from "./viewports.ts"

const nodeTypes = { blocks: GroupNode, event: EventNode }
const edgeTypes = { flow: FlowEdge }
/** How long a group that keys move rests before its place is saved. */
const restMs = 400
/** Flows of fewer nodes are found without a map, which would lie over them. */
const mappedNodes = 12

export function Flow() {
  const t = useTexts(canvasTexts)
  const scheme = useComputedColorScheme()
  const editing = useEditing()
  const { bot, botId, mayEdit, entryOf } = editing
  const { block: openId } = useSelected()
  const flow = useReactFlow<FlowNode, FlowLine>()
  const root = useRef<HTMLDivElement>(null)
  const shown = useFlowNodes()
  const { nodes, lines, selection, setSelection, takeNodes, takeLines, takePlaces } = shown
  const [tool, setTool] = useState<Tool>("hand")
  const [wantsMap, setMap] = useState<boolean>()
  const isPartly = useIsPartly(nodes)
  const hasMap = wantsMap ?? (isPartly && nodes.length >= mappedNodes && window.innerWidth >= 1_200)
  const view = useViewport(root, nodes, legibleZoom)
  const [finder, setFinder] = useState<OpenFinder>()
  const [menu, setMenu] = useState<OpenMenu>()
  const [said, setSaid] = useState("")
  const toFlow = flow.screenToFlowPosition

  const commands = useCommands({
    selection,
    setSelection,
    shownAt: (id) => shown.moved.get(id),
    announce: setSaid,
    freePlace: () => {
      const { x, y } = view.middle()
      // The first group of a flow stands beside its start.
      const start = bot.groups.length === 0 ? nodes.find(({ type }) => type === "event") : undefined
      return start
        ? { x: start.position.x + sizes.event.width + gap, y: start.position.y }
        : freePlace(nodes, { x: x - sizes.width / 2, y })
    },
  })

  const resting = useRef<ReturnType<typeof setTimeout>>(undefined)
  const savePlaces = useCallback(() => {
    clearTimeout(resting.current)
    if (mayEdit) commands.place(takePlaces())
  }, [commands, mayEdit, takePlaces])

  const drag = useDrag(toFlow)
  const words = useWords(bot)
  const findings = useFindingsByElement()
  const titles = useRef(new Map<string, string>())
  const targets = bot.edges.map(({ id, to }) => `${id} ${to.groupId}`).join("\n")
  // `targets` says when edges lead elsewhere, `words` when titles change.
  titles.current = useMemo(() => {
    const byGroup = new Map(bot.groups.map(({ id, title }) => [id, title]))
    return new Map(
      bot.edges.flatMap(({ id, to }) => {
        const title = byGroup.get(to.groupId)
        return title === undefined ? [] : [[id, title] as const]
      }),
    )
  }, [targets, words])

  const now = useRef({ drag, bot, entryOf, words })
  now.current = { drag, bot, entryOf, words }
  // with titles of targets, exits are named anew.
  const actions = useMemo(
    (): CanvasActions => ({
      mayEdit,
      words,
      findings,
      open: commands.open,
      rename: commands.rename,
      put: commands.put,
      titleOfTarget: (edgeId) => (edgeId === undefined ? undefined : titles.current.get(edgeId)),
      goTo: (exit, name) => setFinder({ kind: "goTo", exit, name }),
      menu: (element, at) => setMenu({ element, at }),
      drag: (event, blockId) => {
        if (!mayEdit) return
        const { bot: latest, entryOf: entry, words: said } = now.current
        const ids = commands.chosen().blocks.has(blockId)
          ? [...commands.chosen().blocks]
          : [blockId]
        const place = placeOf(latest, blockId)
        const block = place?.group.blocks[place.index]
        if (!block) return
        const { label, summary } = said.ofBlock(block, entry(block.type))
        now.current.drag.start(event, {
          label: ids.length > 1 ? t.chosen(ids.length) : summary || label,
          icon: entry(block.type)?.icon ?? "box",
          isForGroups: true,
          drop: (slot) => {
            const isThere = "groupId" in slot && slot.groupId === place?.group.id
            const isSame =
              isThere && (slot.index === place?.index || slot.index === place.index + 1)
            if (!isSame || ids.length > 1) commands.move(ids, slot)
          },
        })
      },
    }),
    [mayEdit, words, findings, commands, targets, t],
  )

  const dragEntry = useCallback(
    (event: React.PointerEvent, entry: CatalogueEntry) =>
      now.current.drag.start(event, {
        label: entry.label,
        icon: entry.icon,
        isForGroups: entry.kind !== "event",
        drop: (slot) => commands.add(entry, slot),
      }),
    [commands],
  )

  const opened = useRef(openId)
  const jump = useCallback(
    (groupId: string, blockId?: string) => {
      const node = flow.getNodes().find(({ id }) => id === nodeIdOf.group(groupId))
      if (!node) return
      const row = blockId === undefined ? undefined : boxOf(node, blockId)
      const box = boxAround([node])
      view.centre(box, row ? { x: row.x, y: row.y + row.height / 2 } : box)
      commands.open(
        blockId ? { type: "block", id: blockId } : { type: "group", id: groupId },
        false,
      )
    },
    [flow, view, commands],
  )
  // A link to a block shows it.
  const openFirst = useCallback(() => {
    const place =
      opened.current === undefined ? undefined : placeOf(now.current.bot, opened.current)
    if (place) jump(place.group.id, opened.current)
    else view.open()
  }, [jump, view])
  useOpening(root, openFirst)
  const openBox = useMemo(
    () =>
      openId === undefined
        ? undefined
        : nodes.map((node) => boxOf(node, openId)).find((box) => box !== undefined),
    [nodes, openId],
  )
  useRevealed(view, openId, openBox)

  useEffect(() => {
    if (mayEdit) globalThis.requestIdleCallback?.(() => void loadRichText())
  }, [mayEdit])
  const search = useCallback(() => setFinder({ kind: "search" }), [])
  const findBlock = useCallback(() => setFinder({ kind: "add" }), [])
  const leave = useCallback(() => {
    setSelection(nothingSelected)
    commands.show(undefined)
  }, [commands, setSelection])
  useCanvasKeys({ commands, mayEdit, root, onSearch: search, onAdd: findBlock, onLeave: leave })
  const [onlyGroup] = selection.groups
  usePresence(botId, openId ?? onlyGroup)
  const finderProps = useFinderChoices(finder, { commands, words, jump, nodes })

  const exitOf = (nodeId: string, key: string | null | undefined): Exit | undefined => {
    const node = nodes.find(({ id }) => id === nodeId)
    if (node?.type === "event") return node.data.exit
    return node?.data.layout.exits.find(({ exit }) => exit.key === key)?.exit
  }
  const targetOf = (nodeId: string, key: string | null): Edge["to"] | undefined => {
    const node = nodes.find(({ id }) => id === nodeId)
    if (node?.type !== "blocks") return undefined
    const { group } = node.data
    const index = group.blocks.findIndex(({ id }) => entryKey(id) === key)
    const block = index > 0 ? group.blocks[index] : undefined
    return { groupId: group.id, ...(block && { blockId: block.id }) }
  }
  const connect = ({ source, sourceHandle, target, targetHandle }: Connection) => {
    const exit = exitOf(source, sourceHandle)
    const to = targetOf(target, targetHandle)
    if (exit && to) commands.lead(exit, to)
  }
  /** Lets go of an edge beside a handle: over a group or a block, or over nothing. */
  const connectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
    if (state.isValid || !state.fromNode || !state.from || !state.pointer) return
    const exit = exitOf(state.fromNode.id, state.fromHandle?.id)
    if (!exit) return
    const { clientX, clientY } =
      "changedTouches" in event ? (event.changedTouches[0] ?? { clientX: 0, clientY: 0 }) : event
    const under = document.elementFromPoint(clientX, clientY)
    const groupId = under?.closest<HTMLElement>("[data-group]")?.dataset.group
    const blockId = under?.closest<HTMLElement>("[data-block]")?.dataset.block
    if (groupId !== undefined) {
      const isFirst = bot.groups.find(({ id }) => id === groupId)?.blocks[0]?.id === blockId
      return commands.lead(exit, { groupId, ...(blockId && !isFirst && { blockId }) })
    }
    if (under?.closest("[data-canvas]") === null) return
    const at = toFlow({ x: clientX, y: clientY })
    // A press beside the handle draws nothing.
    if (Math.hypot(at.x - state.from.x, at.y - state.from.y) < sizes.item) return
    commands.lead(exit, { at: { x: at.x, y: at.y - sizes.header / 2 } })
  }

  return (
    <CanvasContext value={actions}>
      <div ref={root} className={classes.canvas} data-canvas data-far={shown.isFar || undefined}>
        <ReactFlow<FlowNode, FlowLine>
          nodes={nodes}
          edges={lines}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          colorMode={scheme}
          aria-label={t.canvas}
          onNodesChange={(changes) => {
            if (!takeNodes(changes)) return
            clearTimeout(resting.current)
            resting.current = setTimeout(savePlaces, restMs)
          }}
          onEdgesChange={takeLines}
          onNodeDragStop={savePlaces}
          onSelectionDragStop={savePlaces}
          onNodeContextMenu={(event, node) => {
            event.preventDefault()
            if (node.type !== "blocks") return
            setMenu({
              element: { type: "group", id: node.data.group.id },
              at: { x: event.clientX, y: event.clientY },
            })
          }}
          onEdgeContextMenu={(event, line) => {
            event.preventDefault()
            setMenu({
              element: { type: "edge", id: line.id },
              at: { x: event.clientX, y: event.clientY },
            })
          }}
          onConnect={connect}
          onConnectEnd={connectEnd}
          onReconnect={(line, { target, targetHandle }) => {
            const exit = exitOf(line.source, line.sourceHandle)
            const to = targetOf(target, targetHandle)
            if (exit && to) commands.lead(exit, to)
          }}
          onPaneClick={leave}
          nodesDraggable={mayEdit}
          nodesConnectable={mayEdit}
          edgesReconnectable={mayEdit}
          edgesFocusable
          deleteKeyCode={null}
          connectOnClick={false}
          selectionOnDrag={tool === "pointer"}
          panOnDrag={tool === "hand" ? true : [1, 2]}
          panOnScroll
          selectionMode={SelectionMode.Partial}
          multiSelectionKeyCode={["Shift", "Meta", "Control"]}
          snapToGrid
          snapGrid={[8, 8]}
          {...zooms}
          connectionRadius={24}
          nodeDragThreshold={2}
          attributionPosition="bottom-center"
          elevateNodesOnSelect={false}
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
          <EdgeHead />
          {shown.isFar && <FarFlow nodes={nodes} lines={shown.allLines} />}
          {hasMap && (
            <MiniMap<FlowNode>
              className={classes.map}
              pannable
              zoomable
              nodeBorderRadius={12}
              ariaLabel={t.minimap}
            />
          )}
        </ReactFlow>
        {mayEdit && <Palette onAdd={commands.add} onDrag={dragEntry} />}
        {!mayEdit && <p className={classes.readOnly}>{t.readOnly}</p>}
        {bot.groups.length === 0 && (
          <div className={classes.emptyFlow}>
            <Text fw={600}>{t.emptyFlow}</Text>
            <Text size="sm" c="dimmed">
              {t.emptyFlowHint}
            </Text>
          </div>
        )}
        <ViewToolbar
          tool={tool}
          onTool={setTool}
          hasMap={hasMap}
          onMap={setMap}
          onFit={view.fit}
          onSearch={search}
          onTidy={mayEdit ? commands.tidy : undefined}
        />
        {mayEdit && <SelectionToolbar selection={selection} commands={commands} />}
        <div className={classes.said} role="status" aria-live="polite">
          {said}
        </div>
        {drag.layer}
        {menu && (
          <FlowMenu
            {...menu}
            commands={commands}
            mayEdit={mayEdit}
            onClose={() => setMenu(undefined)}
            onMoveTo={(blockId) => setFinder({ kind: "moveTo", blockId })}
          />
        )}
        {finderProps && <Finder {...finderProps} onClose={() => setFinder(undefined)} />}
      </div>
    </CanvasContext>
  )
}

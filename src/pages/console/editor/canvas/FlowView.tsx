/** A flow that is only looked at, with marks on its elements. */
import { useComputedColorScheme } from "@mantine/core"
import { Background, BackgroundVariant, ReactFlow, ReactFlowProvider } from "@xyflow/react"
import { useMemo, useRef, useState } from "react"
import { useTexts } from "../../shell/texts.ts"
import { useCatalogue } from "../../shell/useCatalogue.ts"
import type { Bot } from "../editing.ts"
import { useWords } from "./blockWords.ts"
import classes from "./Canvas.module.css"
import { type CanvasActions, CanvasContext } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { EventNode } from "./EventNode.tsx"
import { FarFlow } from "./FarFlow.tsx"
import { EdgeHead, FlowEdge } from "./FlowEdge.tsx"
import toolbar from "./FlowToolbar.module.css"
import { ZoomTools } from "./FlowToolbar.tsx"
import { type DrawnFlow, type FlowLine, type FlowNode, openFlowModel } from "./flowModel.ts"
import { GroupNode } from "./GroupNode.tsx"
import type { Marks } from "./marks.ts"
import { nothingSelected } from "./selection.ts"
import { placesOf, useDrawing } from "./useFlowNodes.ts"
import { useOpening, useViewport, zooms } from "./useViewport.ts"

const nodeTypes = { blocks: GroupNode, event: EventNode }
const edgeTypes = { flow: FlowEdge }
/** Marks are seen where words are not read. */
const overviewZoom = 0.4
const noOthers = new Map()
const noFindings = new Map()
const nothing = () => {}

export type ViewedFlow = DrawnFlow & Pick<Bot, "variables">

type Props = {
  /** Another flow needs another key. */
  flow: ViewedFlow
  marks: Marks
  /** Absent: nothing happens when an element is pressed. */
  onChoose?: (kind: "element" | "edge", id: string) => void
}

export function FlowView(props: Props) {
  return (
    <ReactFlowProvider>
      <View {...props} />
    </ReactFlowProvider>
  )
}

function View({ flow, marks, onChoose = nothing }: Props) {
  const t = useTexts(canvasTexts)
  const scheme = useComputedColorScheme()
  const data = useCatalogue()
  const [model] = useState(() => {
    const entries = new Map(data.blocks.map((entry) => [entry.type, entry]))
    return openFlowModel((type) => entries.get(type))
  })
  const [moved] = useState(() => placesOf(flow, model))
  const { nodes, lines, allLines, isFar } = useDrawing(model, {
    ...{ bot: flow, moved, selection: nothingSelected, open: undefined, others: noOthers },
  })
  const root = useRef<HTMLDivElement>(null)
  const view = useViewport(root, nodes, overviewZoom)
  useOpening(root, view.open)
  const words = useWords(flow)
  const actions = useMemo((): CanvasActions => {
    const targets = new Map(flow.edges.map(({ id, to }) => [id, to.groupId]))
    return {
      mayEdit: false,
      words,
      findings: noFindings,
      marks,
      open: ({ id }) => onChoose("element", id),
      ...{ rename: nothing, put: nothing, drag: nothing, goTo: nothing, menu: nothing },
      titleOfTarget: (edgeId) => targets.get(edgeId ?? ""),
    }
  }, [flow, words, marks, onChoose])
  return (
    <CanvasContext value={actions}>
      <div ref={root} className={classes.canvas} data-far={isFar || undefined}>
        <ReactFlow<FlowNode, FlowLine>
          nodes={nodes}
          edges={lines}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          colorMode={scheme}
          aria-label={t.canvas}
          onNodeClick={(_, node) =>
            node.type === "blocks" && onChoose("element", node.data.group.id)
          }
          onEdgeClick={(_, { id }) => onChoose("edge", id)}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          deleteKeyCode={null}
          // The page around it scrolls.
          zoomOnScroll={false}
          preventScrolling={false}
          {...zooms}
          attributionPosition="bottom-left"
        >
          <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} />
          <EdgeHead />
          {isFar && <FarFlow nodes={nodes} lines={allLines} />}
        </ReactFlow>
        <div className={toolbar.view} role="toolbar" aria-label={t.canvas}>
          <ZoomTools onFit={view.fit} />
        </div>
      </div>
    </CanvasContext>
  )
}

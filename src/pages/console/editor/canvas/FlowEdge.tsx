/** The line of an edge. */
import { BaseEdge, type EdgeProps } from "@xyflow/react"
import { memo } from "react"
import { useIsTaken } from "../tryOut/trace.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import type { FlowLine } from "./flowModel.ts"
import { routeEdge } from "./routeEdge.ts"

/** Of a sign, at least this far from where its line begins. */
const lead = 28

export const FlowEdge = memo(function FlowEdge(line: EdgeProps<FlowLine>) {
  const { id, sourceX, sourceY, targetX, targetY, data } = line
  const isTaken = useIsTaken(id)
  const mark = useCanvas().marks?.edges.get(id)
  if (!data) return null
  const path = routeEdge({
    source: { x: sourceX, y: sourceY },
    target: { x: targetX, y: targetY },
    sourceBox: { x: sourceX, y: sourceY - data.from.y, height: data.from.height },
    targetBox: { x: targetX, y: targetY - data.to.y, height: data.to.height },
  })
  return (
    <BaseEdge
      id={id}
      path={path}
      interactionWidth={20}
      markerEnd="url(#flowArrow)"
      data-taken={isTaken || undefined}
      {...(mark && {
        ...{ labelShowBg: true, labelBgPadding: [6, 3], labelBgBorderRadius: 8 },
        // On the first run of the line.
        labelX: Math.max(sourceX + lead, (sourceX + targetX - lead) / 2),
        labelY: sourceY,
        "data-look": mark.look,
        label: (
          <>
            <title>{mark.words}</title>
            {mark.sign}
          </>
        ),
        style: mark.width === undefined ? {} : { strokeWidth: mark.width },
      })}
    />
  )
})

/** The head of edges, which takes the colour of its line where browsers can. */
export function EdgeHead() {
  return (
    <svg className={classes.arrow} aria-hidden="true">
      <defs>
        <marker
          id="flowArrow"
          viewBox="0 0 10 10"
          refX="9"
          refY="5"
          markerWidth="12"
          markerHeight="12"
          markerUnits="userSpaceOnUse"
          orient="auto"
        >
          <path d="M1 1 L9 5 L1 9" />
        </marker>
      </defs>
    </svg>
  )
}

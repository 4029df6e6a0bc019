/** The line of an edge. */
import { BaseEdge, type EdgeProps } from "@xyflow/react"
import { memo } from "react"
import type { FlowLine } from "./flowModel.ts"
import { routeEdge } from "./routeEdge.ts"

export const FlowEdge = memo(function FlowEdge(line: EdgeProps<FlowLine>) {
  const { id, sourceX, sourceY, targetX, targetY, data } = line
  if (!data) return null
  const path = routeEdge({
    source: { x: sourceX, y: sourceY },
    target: { x: targetX, y: targetY },
    sourceBox: { x: sourceX, y: sourceY - data.from.y, height: data.from.height },
    targetBox: { x: targetX, y: targetY - data.to.y, height: data.to.height },
  })
  return <BaseEdge id={id} path={path} interactionWidth={20} markerEnd="url(#flowArrow)" />
})

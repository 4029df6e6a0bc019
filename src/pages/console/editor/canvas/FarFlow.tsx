/** The flow from afar, where nothing is read: one drawing, since browsers move few things faster than hundreds. */
import { ViewportPortal } from "@xyflow/react"
import { memo } from "react"
import { useTakenEdges } from "../tryOut/trace.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import { type FlowLine, type FlowNode, type GroupNode, pathOf } from "./flowModel.ts"
import { sizes } from "./groupLayout.ts"

type Props = { nodes: readonly FlowNode[]; lines: readonly FlowLine[] }

export const FarFlow = memo(function FarFlow({ nodes, lines }: Props) {
  const { marks } = useCanvas()
  const taken = useTakenEdges()
  const groups = nodes.filter((node) => node.type === "blocks")
  const boxes = byLook(groups, ({ data: { group }, selected }) => {
    if (selected) return "selected"
    const marked = [group, ...group.blocks].find(({ id }) => marks?.elements.has(id))
    return marked && marks?.elements.get(marked.id)?.look
  })
  const ways = byLook(lines, ({ id }) => (taken.has(id) ? "selected" : marks?.edges.get(id)?.look))
  return (
    <ViewportPortal>
      <svg className={classes.far} aria-hidden="true">
        {[...ways].map(([look, some]) => (
          <path key={look} className={classes.farLines} data-look={look} d={pathOf(some, nodes)} />
        ))}
        {[...boxes].map(([look, some]) => (
          <path
            key={look}
            className={classes.farBoxes}
            data-look={look}
            d={some.map(boxOf).join("")}
          />
        ))}
        <path className={classes.farBars} d={groups.map(barsOf).join("")} />
        {groups.map(({ id, position: { x, y }, data: { group } }) => (
          <text key={id} x={x + margin} y={y + baseline}>
            {shortened(group.title)}
          </text>
        ))}
      </svg>
    </ViewportPortal>
  )
})

function byLook<Drawn>(
  all: readonly Drawn[],
  lookOf: (each: Drawn) => string | undefined,
): [look: string | undefined, some: Drawn[]][] {
  const looks = all.map(lookOf)
  return [...new Set(looks)].map((look) => [look, all.filter((_, at) => looks[at] === look)])
}

const margin = 16
const baseline = 28
const bar = 10
/** Of letters of usual width, as many as a box is wide. */
const maxLetters = 24

function boxOf({ position: { x, y }, data: { layout } }: GroupNode): string {
  return boxAt(x, y, sizes.width, layout.height)
}

/** A bar where a block has its words. */
function barsOf({ position: { x, y }, data }: GroupNode): string {
  const width = sizes.width - 2 * margin
  return data.layout.blocks
    .map((block) => boxAt(x + margin, y + block.y + bar, width, bar))
    .join("")
}

function boxAt(x: number, y: number, width: number, height: number): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`
}

function shortened(title: string): string {
  const letters = [...title]
  return letters.length > maxLetters ? `${letters.slice(0, maxLetters).join("")}…` : title
}

/** An event on the canvas: where chats, or paths beside them, begin. */
import type { NodeProps } from "@xyflow/react"
import { memo } from "react"
import { useTexts } from "../../shell/texts.ts"
import { CatalogueIcon } from "../blocks/CatalogueIcon.tsx"
import { enterPanel } from "../panels/panelFocus.ts"
import classes from "./Canvas.module.css"
import { useCanvas } from "./canvasContext.ts"
import { canvasTexts } from "./canvasTexts.ts"
import { ExitHandle } from "./ExitHandle.tsx"
import { edgesAt } from "./exitsOf.ts"
import { FindingBadge } from "./FindingBadge.tsx"
import type { EventNode as EventNodeOf } from "./flowModel.ts"
import { MarkFrame } from "./MarkFrame.tsx"
import { lookOf, namesOf } from "./people.ts"
import { textAt } from "./reading.ts"

export const EventNode = memo(function EventNode({ data, selected }: NodeProps<EventNodeOf>) {
  const t = useTexts(canvasTexts)
  const { open, menu } = useCanvas()
  const { event, entry, exit, isOpen, others } = data
  const element = { type: "event", id: event.id } as const
  const label = entry?.label ?? event.type
  const detail = textAt(event, "options", "command")
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside takes keys.
    <div
      className={classes.event}
      data-selected={selected || isOpen || undefined}
      data-others={others && namesOf(others)}
      style={lookOf(others)}
      onContextMenu={(pressed) => {
        pressed.preventDefault()
        menu(element, { x: pressed.clientX, y: pressed.clientY })
      }}
    >
      <button
        type="button"
        className={`${classes.words} nokey`}
        aria-label={t.event([label, detail].filter(Boolean).join(" "))}
        data-event={event.id}
        onClick={(pressed) => {
          open(element, pressed.shiftKey || pressed.ctrlKey || pressed.metaKey)
          if (pressed.detail === 0) enterPanel(event.id)
        }}
      >
        <span className={classes.icon}>
          <CatalogueIcon name={entry?.icon ?? "flag"} size={16} />
        </span>
        <span className={classes.summary}>
          <span>{label}</span>
          {detail && <span className={classes.faint}> {detail}</span>}
        </span>
      </button>
      <MarkFrame id={event.id} />
      <ExitHandle exit={exit} name={label} />
      <FindingBadge at={[`event:${event.id}`, ...edgesAt(exit)]} />
    </div>
  )
})

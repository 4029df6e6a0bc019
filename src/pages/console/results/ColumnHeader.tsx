/** The head of a column: dragged to another place, and made wider at its edge. */
import type { Header } from "@tanstack/react-table"
import { type KeyboardEvent, useState } from "react"
import { defineTexts, useTexts } from "../shell/texts.ts"
import classes from "./ResultsTable.module.css"
import type { ListedColumn, Result } from "./resultQueries.ts"
import { maxWidth, minWidth } from "./tableColumns.ts"

const texts = defineTexts({
  en: { width: (title: string) => `Width of ${title}` },
  de: { width: (title: string) => `Breite von ${title}` },
})

const stepPx = 16
const dragType = "application/x-parley-column"

type Props = {
  header: Header<Result, unknown>
  title: string
  kind: ListedColumn["kind"]
  /** Another column is put in the place of this one. */
  onDrop(columnId: string): void
}

export function ColumnHeader({ header, title, kind, onDrop }: Props) {
  const t = useTexts(texts)
  const [isTarget, setTarget] = useState(false)
  const { column } = header
  const width = column.getSize()
  const resize = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -stepPx, ArrowRight: stepPx }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(maxWidth, Math.max(minWidth, width + step))
    header.getContext().table.setColumnSizing((former) => ({ ...former, [column.id]: next }))
  }
  return (
    <th
      scope="col"
      aria-label={title}
      data-kind={kind}
      data-target={isTarget || undefined}
      draggable
      onDragStart={({ dataTransfer }) => {
        dataTransfer.setData(dragType, column.id)
        dataTransfer.effectAllowed = "move"
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setTarget(true)
      }}
      onDragLeave={() => setTarget(false)}
      onDrop={({ dataTransfer }) => {
        setTarget(false)
        const id = dataTransfer.getData(dragType)
        if (id !== "" && id !== column.id) onDrop(id)
      }}
    >
      <span className={classes.title} title={title} dir="auto">
        {title}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML is a separator that can be moved */}
      <span
        role="separator"
        aria-label={t.width(title)}
        aria-orientation="vertical"
        aria-valuenow={width}
        aria-valuemin={minWidth}
        aria-valuemax={maxWidth}
        tabIndex={0}
        className={classes.edge}
        data-moving={column.getIsResizing() || undefined}
        draggable
        // The edge is moved, and not the column.
        onDragStart={(event) => event.preventDefault()}
        onMouseDown={header.getResizeHandler()}
        onTouchStart={header.getResizeHandler()}
        onKeyDown={resize}
      />
    </th>
  )
}

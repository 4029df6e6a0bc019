/** The table of results: only what is on the screen is in the page, and more is read as people scroll. */
import { Checkbox, Loader, Text } from "@mantine/core"
import { Link } from "@tanstack/react-router"
import {
  type ColumnDef,
  flexRender,
  getCoreRowModel,
  type RowSelectionState,
  useReactTable,
} from "@tanstack/react-table"
import { useMemo, useRef } from "react"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { ColumnHeader } from "./ColumnHeader.tsx"
import { useColumnTitle } from "./columnTitles.ts"
import classes from "./ResultsTable.module.css"
import type { Result } from "./resultQueries.ts"
import { cellText, type TableColumn } from "./tableColumns.ts"
import { isShown, type Preferences } from "./usePreferences.ts"
import { type MoreRows, useRowsOnScreen } from "./useRowsOnScreen.ts"

const texts = defineTexts({
  en: {
    results: "Results",
    selectAll: "Select all loaded results",
    select: (at: string) => `Select the result of ${at}`,
    completed: "Completed",
    partial: "In progress",
    loading: "Loading more…",
    further: "Looking further back…",
  },
  de: {
    results: "Ergebnisse",
    selectAll: "Alle geladenen Ergebnisse auswählen",
    select: (at: string) => `Ergebnis von ${at} auswählen`,
    completed: "Abgeschlossen",
    partial: "Offen",
    loading: "Weitere werden geladen …",
    further: "Ältere werden durchsucht …",
  },
})

const rowHeight = 40
const boxWidth = 44

type Props = {
  results: readonly Result[]
  /** In their order. */
  columns: readonly TableColumn[]
  preferences: Preferences
  change(changes: Partial<Preferences>): void
  selection: RowSelectionState
  onSelect(next: RowSelectionState): void
  openId: string | undefined
  more: MoreRows
}

export function ResultsTable(props: Props) {
  const { results, columns, preferences, change, selection, onSelect, openId, more } = props
  const t = useTexts(texts)
  const titleOf = useColumnTitle()
  const frame = useRef<HTMLElement>(null)
  const shown = useMemo(
    () => columns.filter((column) => isShown(preferences, column)),
    [columns, preferences],
  )
  const table = useReactTable({
    data: results as Result[],
    columns: useMemo(() => shown.map(definitionOf), [shown]),
    state: { rowSelection: selection, columnSizing: preferences.columnsWidth },
    columnResizeMode: "onChange",
    getRowId: ({ id }) => id,
    getCoreRowModel: getCoreRowModel(),
    onRowSelectionChange: (update) =>
      onSelect(typeof update === "function" ? update(selection) : update),
    onColumnSizingChange: (update) =>
      change({
        columnsWidth: typeof update === "function" ? update(preferences.columnsWidth) : update,
      }),
  })
  const { rows } = table.getRowModel()
  const { items, before, after } = useRowsOnScreen({
    ...{ frame, more },
    count: rows.length,
    height: rowHeight,
  })
  const move = (id: string, to: string) => {
    const ids = columns.map((column) => column.id).filter((each) => each !== id)
    ids.splice(ids.indexOf(to) + (isAfter(columns, to, id) ? 1 : 0), 0, id)
    change({ columnsOrder: ids })
  }
  return (
    <section ref={frame} className={classes.frame} aria-label={t.results} tabIndex={-1}>
      <table
        className={classes.table}
        style={{ width: table.getTotalSize() + boxWidth }}
        aria-rowcount={more.isThere ? -1 : rows.length + 1}
      >
        <colgroup>
          <col style={{ width: boxWidth }} />
          {table.getVisibleLeafColumns().map((column) => (
            <col key={column.id} style={{ width: column.getSize() }} />
          ))}
          {/* What is left of the width. */}
          <col />
        </colgroup>
        <thead>
          <tr aria-rowindex={1}>
            <th className={classes.box} scope="col">
              <Checkbox
                size="xs"
                aria-label={t.selectAll}
                checked={rows.length > 0 && table.getIsAllRowsSelected()}
                indeterminate={table.getIsSomeRowsSelected()}
                onChange={table.getToggleAllRowsSelectedHandler()}
              />
            </th>
            {table.getFlatHeaders().map((header, place) => {
              const column = shown[place]
              return column ? (
                <ColumnHeader
                  key={header.id}
                  header={header}
                  title={titleOf(column)}
                  kind={column.kind}
                  onDrop={(id) => move(id, column.id)}
                />
              ) : null
            })}
            <td className={classes.rest} />
          </tr>
        </thead>
        <tbody>
          <Space height={before} />
          {items.map(({ index }) => {
            const row = rows[index]
            if (!row) return null
            return (
              <tr
                key={row.id}
                aria-rowindex={index + 2}
                className={classes.row}
                data-open={row.id === openId || undefined}
                data-selected={row.getIsSelected() || undefined}
              >
                <td className={classes.box}>
                  <SelectBox
                    result={row.original}
                    isSelected={row.getIsSelected()}
                    onChange={row.getToggleSelectedHandler()}
                  />
                </td>
                {row.getVisibleCells().map((cell) => (
                  <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
                ))}
                <td className={classes.rest} />
              </tr>
            )
          })}
          <Space height={after} />
        </tbody>
      </table>
      {more.isLoading && <Loading isFirst={rows.length === 0} />}
    </section>
  )
}

/** Says that more results are read; `isFirst`: none was found so far. */
export function Loading({ isFirst }: { isFirst: boolean }) {
  const t = useTexts(texts)
  return (
    <Text size="sm" c="dimmed" p="sm" className={classes.note} role="status">
      <Loader size={14} mr="xs" />
      {isFirst ? t.further : t.loading}
    </Text>
  )
}

/** Whether a column stands behind another: then the other one is put after it. */
function isAfter(columns: readonly TableColumn[], id: string, other: string): boolean {
  const placeOf = (wanted: string) => columns.findIndex((column) => column.id === wanted)
  return placeOf(id) > placeOf(other)
}

/** Rows that are not on the screen. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr className={classes.space}>
      <td style={{ height }} />
    </tr>
  )
}

type BoxProps = { result: Result; isSelected: boolean; onChange(event: unknown): void }

export function SelectBox({ result, isSelected, onChange }: BoxProps) {
  const t = useTexts(texts)
  const writing = useWriting()
  return (
    <Checkbox
      size="xs"
      aria-label={t.select(writing.moment(result.createdAt))}
      checked={isSelected}
      onChange={onChange}
    />
  )
}

function definitionOf(column: TableColumn): ColumnDef<Result> {
  return {
    id: column.id,
    size: column.width,
    minSize: 64,
    maxSize: 800,
    cell: ({ row }) => <Cell column={column} result={row.original} />,
  }
}

/** Whether a chat has reached an end. */
export function StatusMark({ isDone }: { isDone: boolean }) {
  const t = useTexts(texts)
  return (
    <span className={classes.status} data-done={isDone || undefined}>
      {isDone ? t.completed : t.partial}
    </span>
  )
}

/** The link to a result, which takes in all of its row. */
export function Opener({ result }: { result: Result }) {
  const writing = useWriting()
  return (
    <Link
      from="/bots/$botId/results"
      to="."
      search={(former) => ({ ...former, result: result.id })}
      className={classes.opener}
    >
      {writing.moment(result.createdAt)}
    </Link>
  )
}

function Cell({ column, result }: { column: TableColumn; result: Result }) {
  const writing = useWriting()
  if (column.kind !== "fact") {
    const text = cellText(column, result)
    return (
      <span dir="auto" title={text}>
        {text}
      </span>
    )
  }
  if (column.id === "createdAt") return <Opener result={result} />
  if (column.id === "isCompleted") {
    return <StatusMark isDone={result.isCompleted} />
  }
  if (column.id === "versionNumber") return result.versionNumber
  if (column.id === "endedAt") return result.endedAt && writing.moment(result.endedAt)
  if (column.id === "durationSeconds") {
    return result.durationSeconds === undefined ? null : lengthOf(result.durationSeconds)
  }
  return <span className={classes.id}>{result.id}</span>
}

/** A time in minutes and seconds: `2:05`, or with hours `1:02:05`. */
export function lengthOf(seconds: number): string {
  const parts = [
    Math.floor(seconds / 3_600),
    Math.floor((seconds % 3_600) / 60),
    Math.floor(seconds % 60),
  ]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, place) => (place === 0 ? part : String(part).padStart(2, "0"))).join(":")
}

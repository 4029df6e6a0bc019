/** Results on a phone: a card of each, with what the table has in its columns. */
import { Checkbox } from "@mantine/core"
import type { RowSelectionState } from "@tanstack/react-table"
import { useRef } from "react"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useColumnTitle } from "./columnTitles.ts"
import classes from "./ResultsTable.module.css"
import { Loading, Opener, SelectBox, StatusMark } from "./ResultsTable.tsx"
import type { Result } from "./resultQueries.ts"
import { cellText, type TableColumn } from "./tableColumns.ts"
import { isShown, type Preferences } from "./usePreferences.ts"
import { type MoreRows, useRowsOnScreen } from "./useRowsOnScreen.ts"

const texts = defineTexts({
  en: { results: "Results", selectAll: "Select all loaded results" },
  de: { results: "Ergebnisse", selectAll: "Alle geladenen Ergebnisse auswählen" },
})

/** Of a usual card. */
const cardHeight = 128
/** Answers and variables that a card has room for; the result itself has all. */
const maxLines = 4

type Props = {
  results: readonly Result[]
  columns: readonly TableColumn[]
  preferences: Preferences
  selection: RowSelectionState
  onSelect(next: RowSelectionState): void
  openId: string | undefined
  more: MoreRows
}

export function ResultCards(props: Props) {
  const { results, columns, preferences, selection, onSelect, openId, more } = props
  const t = useTexts(texts)
  const titleOf = useColumnTitle()
  const frame = useRef<HTMLElement>(null)
  const { items, before, after, measure } = useRowsOnScreen({
    ...{ frame, more },
    count: results.length,
    height: cardHeight,
  })
  const shown = columns.filter((column) => column.kind !== "fact" && isShown(preferences, column))
  const count = results.filter(({ id }) => selection[id]).length
  const linesOf = (result: Result) =>
    shown
      .map((column) => ({ column, text: cellText(column, result) }))
      .filter(({ text }) => text !== "")
      .slice(0, maxLines)
  const toggle = (id: string) => {
    const { [id]: isSelected, ...others } = selection
    onSelect(isSelected ? others : { ...others, [id]: true })
  }
  return (
    <section ref={frame} className={classes.frame} aria-label={t.results} tabIndex={-1}>
      <Checkbox
        size="xs"
        className={classes.selectAll}
        label={t.selectAll}
        checked={count > 0 && count === results.length}
        indeterminate={count > 0 && count < results.length}
        onChange={({ currentTarget }) =>
          onSelect(
            currentTarget.checked ? Object.fromEntries(results.map(({ id }) => [id, true])) : {},
          )
        }
      />
      <ul className={classes.cards} style={{ paddingBlock: `${before}px ${after}px` }}>
        {items.map(({ index }) => {
          const result = results[index]
          if (!result) return null
          const isSelected = selection[result.id] ?? false
          return (
            <li
              key={result.id}
              ref={measure}
              data-index={index}
              className={classes.card}
              data-open={result.id === openId || undefined}
              data-selected={isSelected || undefined}
            >
              <div className={classes.cardHead}>
                <span className={classes.cardBox}>
                  <SelectBox
                    result={result}
                    isSelected={isSelected}
                    onChange={() => toggle(result.id)}
                  />
                </span>
                <Opener result={result} />
                <StatusMark isDone={result.isCompleted} />
              </div>
              <dl>
                {linesOf(result).map(({ column, text }) => (
                  <div key={column.id}>
                    <dt>{titleOf(column)}</dt>
                    <dd dir="auto">{text}</dd>
                  </div>
                ))}
              </dl>
            </li>
          )
        })}
      </ul>
      {more.isLoading && <Loading isFirst={results.length === 0} />}
    </section>
  )
}

/** Tables of counts, with a bar below each name. */
import type { Outputs } from "../shell/api.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./AnalyticsPage.module.css"

const texts = defineTexts({
  en: {
    heads: ["Question", "Asked", "Answered", "Skipped", "Open", "Left", "Drop-off"],
  },
  de: {
    heads: ["Frage", "Gefragt", "Beantwortet", "Übersprungen", "Offen", "Gegangen", "Abbruch"],
  },
})

export type CountRow = {
  name: string
  cells: readonly string[]
  /** Length of the bar, 0 to 1; absent: none. */
  part?: number
}

type Props = { caption?: string; heads: readonly string[]; rows: readonly CountRow[] }

export function CountTable({ caption, heads, rows }: Props) {
  return (
    <table className={classes.table}>
      {caption !== undefined && <caption dir="auto">{caption}</caption>}
      <thead>
        <tr>
          {heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, cells, part }, place) => (
          <tr key={`${place} ${name}`}>
            <th scope="row">
              <span dir="auto">{name}</span>
              {part !== undefined && (
                <span className={classes.bar} aria-hidden="true">
                  <span style={{ width: `${Math.min(part, 1) * 100}%` }} />
                </span>
              )}
            </th>
            {cells.map((cell, column) => (
              <td key={heads[column + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type FunnelProps = {
  blocks: Outputs["result"]["analytics"]["blocks"]
  titleOf(blockId: string): string
}

/** The questions in the order of the flow: how many were asked, and how many left there. */
export function FunnelTable({ blocks, titleOf }: FunnelProps) {
  const t = useTexts(texts)
  const writing = useWriting()
  const most = Math.max(1, ...blocks.map(({ shown }) => shown))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it where it is too wide
    <section className={classes.wide} aria-label={t.heads[0]} tabIndex={0}>
      <CountTable
        heads={t.heads}
        rows={blocks.map(({ blockId, shown, answered, skipped, open, dropped }) => ({
          name: titleOf(blockId),
          cells: [
            ...[shown, answered, skipped, open, dropped].map((count) => writing.number(count)),
            writing.share(dropped, shown),
          ],
          part: shown / most,
        }))}
      />
    </section>
  )
}

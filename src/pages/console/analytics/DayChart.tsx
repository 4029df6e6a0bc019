/** Chats that started and were completed, day by day: bars, and the same as a table for those who read it out. */
import { VisuallyHidden } from "@mantine/core"
import { type Period, type PeriodSearch, usualPeriod } from "../results/resultsSearch.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./AnalyticsPage.module.css"
import { CountTable } from "./tables.tsx"

const texts = defineTexts({
  en: {
    day: "Day",
    starts: "Started",
    completions: "Completed",
    title: (day: string, starts: string, completions: string) =>
      `${day}: ${starts} started, ${completions} completed`,
  },
  de: {
    day: "Tag",
    starts: "Begonnen",
    completions: "Abgeschlossen",
    title: (day: string, starts: string, completions: string) =>
      `${day}: ${starts} begonnen, ${completions} abgeschlossen`,
  },
})

type Day = { day: string; starts: number; completions: number }

const dayMs = 86_400_000
const height = 100
const gap = 0.25
/** A single bar is no wider than one of a week. */
const fewestDays = 7

/** Of periods that end today, the days before it. */
const daysBefore: Partial<Record<Period, number>> = { today: 0, last7Days: 6, last30Days: 29 }

/** The first and the last day of a period, as far as it says them. */
function edgesOf({ timeFilter, from, to }: PeriodSearch): (string | undefined)[] {
  const before = (days: number) => {
    const date = new Date()
    date.setDate(date.getDate() - days)
    // As the answer has days.
    return date.toLocaleDateString("sv")
  }
  if (from !== undefined || to !== undefined) return [from, to ?? before(0)]
  const days = daysBefore[timeFilter ?? usualPeriod]
  return days === undefined ? [] : [before(days), before(0)]
}

/** Every day of the period: those without chats are left out of the answer. */
function everyDay(days: readonly Day[], period: PeriodSearch): Day[] {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return []
  const known = new Map(days.map((day) => [day.day, day]))
  const [start = first.day, end = last.day] = edgesOf(period)
  const [from, to] = [start < first.day ? start : first.day, end > last.day ? end : last.day].map(
    (day) => Date.parse(`${day}T00:00Z`),
  )
  const count = Math.round(((to ?? 0) - (from ?? 0)) / dayMs) + 1
  return Array.from({ length: count }, (_, place) => {
    const day = new Date((from ?? 0) + place * dayMs).toISOString().slice(0, 10)
    return known.get(day) ?? { day, starts: 0, completions: 0 }
  })
}

type Props = { days: readonly Day[]; period: PeriodSearch }

export function DayChart({ days, period }: Props) {
  const t = useTexts(texts)
  const writing = useWriting()
  const shown = everyDay(days, period)
  const most = Math.max(1, ...shown.map(({ starts }) => starts))
  const width = Math.max(shown.length, fewestDays)
  const nameOf = (day: string) => writing.day(`${day}T12:00`)
  const bar = (place: number, count: number, className: string | undefined) => (
    <rect
      x={place + gap / 2}
      width={1 - gap}
      y={height - (count / most) * height}
      height={(count / most) * height}
      className={className}
    />
  )
  return (
    <>
      <div className={classes.legend} aria-hidden="true">
        <span>{t.starts}</span>
        <span>{t.completions}</span>
        {/* What the upper line means. */}
        <b>{writing.number(most)}</b>
      </div>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {[0, 0.5, 1].map((part) => (
          <line
            key={part}
            x1={0}
            x2={width}
            y1={height * part}
            y2={height * part}
            className={classes.grid}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {shown.map(({ day, starts, completions }, place) => (
          <g key={day}>
            <title>
              {t.title(nameOf(day), writing.number(starts), writing.number(completions))}
            </title>
            {bar(place, starts, classes.starts)}
            {bar(place, completions, classes.completions)}
          </g>
        ))}
      </svg>
      <div className={classes.axis} aria-hidden="true">
        <span>{shown[0] && nameOf(shown[0].day)}</span>
        {shown.length > 1 && <span>{nameOf(shown.at(-1)?.day ?? "")}</span>}
      </div>
      <VisuallyHidden>
        <CountTable
          heads={[t.day, t.starts, t.completions]}
          rows={days.map(({ day, starts, completions }) => ({
            name: nameOf(day),
            cells: [writing.number(starts), writing.number(completions)],
          }))}
        />
      </VisuallyHidden>
    </>
  )
}

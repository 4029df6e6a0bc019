/** Chooses the period: one by name, or its first and last day. */
import { Button, Divider, Group, NavLink, Popover, TextInput } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { Icon } from "../shell/Icon.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { type Period, type PeriodSearch, periods, usualPeriod } from "./resultsSearch.ts"

const texts = defineTexts({
  en: {
    period: "Period",
    from: "From",
    to: "To",
    since: (day: string) => `Since ${day}`,
    until: (day: string) => `Until ${day}`,
    names: {
      today: "Today",
      last7Days: "Last 7 days",
      last30Days: "Last 30 days",
      monthToDate: "This month",
      lastMonth: "Last month",
      yearToDate: "This year",
      allTime: "All time",
    } satisfies Record<Period, string>,
  },
  de: {
    period: "Zeitraum",
    from: "Von",
    to: "Bis",
    since: (day: string) => `Seit ${day}`,
    until: (day: string) => `Bis ${day}`,
    names: {
      today: "Heute",
      last7Days: "Letzte 7 Tage",
      last30Days: "Letzte 30 Tage",
      monthToDate: "Dieser Monat",
      lastMonth: "Letzter Monat",
      yearToDate: "Dieses Jahr",
      allTime: "Gesamter Zeitraum",
    },
  },
})

type Props = { period: PeriodSearch; onChange(next: PeriodSearch): void }

export function PeriodSelect({ period: { timeFilter, from, to }, onChange }: Props) {
  const t = useTexts(texts)
  const writing = useWriting()
  const [isOpen, { toggle, close }] = useDisclosure()
  // Noon, so that no time zone moves the day.
  const dayOf = (day: string) => writing.day(`${day}T12:00`)
  const isNamed = from === undefined && to === undefined
  const named = isNamed ? (timeFilter ?? usualPeriod) : undefined
  const label = () => {
    if (named) return t.names[named]
    if (from === undefined) return t.until(dayOf(to ?? ""))
    return to === undefined ? t.since(dayOf(from)) : `${dayOf(from)} – ${dayOf(to)}`
  }
  const bound = (name: "from" | "to", value: string | undefined) => (
    <TextInput
      type="date"
      size="xs"
      label={t[name]}
      value={value ?? ""}
      {...(name === "from" ? { max: to } : { min: from })}
      onChange={({ currentTarget }) => {
        const days = { from, to, [name]: currentTarget.value || undefined }
        onChange({ ...(days.from && { from: days.from }), ...(days.to && { to: days.to }) })
      }}
    />
  )
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-start" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          onClick={toggle}
          leftSection={<Icon name="calendar-days" size={16} />}
          aria-label={`${t.period}: ${label()}`}
        >
          {label()}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" w={280} aria-label={t.period}>
        {periods.map((name) => (
          <NavLink
            key={name}
            component="button"
            label={t.names[name]}
            active={name === named}
            aria-pressed={name === named}
            rightSection={name === named && <Icon name="check" size={16} />}
            py={6}
            onClick={() => {
              onChange({ timeFilter: name })
              close()
            }}
          />
        ))}
        <Divider my="xs" />
        <Group grow gap="xs">
          {bound("from", from)}
          {bound("to", to)}
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

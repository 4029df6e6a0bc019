/** Filters of the list, each of which is in the address. */
import { Button, NativeSelect, Popover, Stack, TextInput } from "@mantine/core"
import { useDebouncedCallback, useDisclosure } from "@mantine/hooks"
import { useEffect, useState } from "react"
import { Icon } from "../shell/Icon.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { PeriodSelect } from "./PeriodSelect.tsx"
import { useVersionNumbers } from "./resultQueries.ts"
import type { ResultsSearch } from "./resultsSearch.ts"

const texts = defineTexts({
  en: {
    search: "Search answers and variables",
    filters: "Filters",
    status: "Status",
    all: "All",
    completed: "Completed",
    partial: "Not completed",
    version: "Version",
    key: "Conversation key",
    keyHint: "The name that a channel or your own program gives a person",
    clear: "Clear filters",
  },
  de: {
    search: "Antworten und Variablen durchsuchen",
    filters: "Filter",
    status: "Status",
    all: "Alle",
    completed: "Abgeschlossen",
    partial: "Nicht abgeschlossen",
    version: "Version",
    key: "Gesprächsschlüssel",
    keyHint: "Der Name, den ein Kanal oder dein Programm einer Person gibt",
    clear: "Filter zurücksetzen",
  },
})

const pauseMs = 300

type Props = { search: ResultsSearch; onChange(next: ResultsSearch): void }

export function Filters({ search, onChange }: Props) {
  const t = useTexts(texts)
  const [isOpen, { toggle, close }] = useDisclosure()
  const versions = useVersionNumbers()
  const { status, version, conversationKey, ...others } = search
  const count = [status, version, conversationKey].filter((each) => each !== undefined).length
  const { timeFilter, from, to, ...rest } = search
  const numbers = version === undefined || versions.includes(version) ? versions : [version]
  return (
    <>
      <SlowInput
        type="search"
        aria-label={t.search}
        placeholder={t.search}
        size="xs"
        leftSection={<Icon name="search" size={16} />}
        flex="1 1 12rem"
        maw={320}
        maxLength={200}
        value={search.search ?? ""}
        onSettle={(text) => {
          const { search: _, ...without } = search
          onChange({ ...without, ...(text !== "" && { search: text }) })
        }}
      />
      <PeriodSelect
        period={{ ...(timeFilter && { timeFilter }), ...(from && { from }), ...(to && { to }) }}
        onChange={(period) => onChange({ ...rest, ...period })}
      />
      <Popover opened={isOpen} onDismiss={close} position="bottom-start" trapFocus>
        <Popover.Target>
          <Button
            variant={count > 0 ? "light" : "default"}
            size="xs"
            leftSection={<Icon name="filter" size={16} />}
            onClick={toggle}
          >
            {count > 0 ? `${t.filters} · ${count}` : t.filters}
          </Button>
        </Popover.Target>
        <Popover.Dropdown w={280} aria-label={t.filters}>
          <Stack gap="sm">
            <NativeSelect
              size="xs"
              label={t.status}
              value={status ?? ""}
              data={[
                { value: "", label: t.all },
                { value: "completed", label: t.completed },
                { value: "partial", label: t.partial },
              ]}
              onChange={({ currentTarget: { value } }) => {
                const { status: _, ...without } = search
                const known = value === "completed" || value === "partial"
                onChange({ ...without, ...(known && { status: value }) })
              }}
            />
            <NativeSelect
              size="xs"
              label={t.version}
              value={version ?? ""}
              data={[{ value: "", label: t.all }, ...numbers.map(String)]}
              onChange={({ currentTarget: { value } }) => {
                const { version: _, ...without } = search
                onChange({ ...without, ...(value !== "" && { version: Number(value) }) })
              }}
            />
            <SlowInput
              size="xs"
              label={t.key}
              description={t.keyHint}
              maxLength={255}
              value={conversationKey ?? ""}
              onSettle={(key) => {
                const { conversationKey: _, ...without } = search
                onChange({ ...without, ...(key !== "" && { conversationKey: key }) })
              }}
            />
            {count > 0 && (
              <Button variant="subtle" size="xs" onClick={() => onChange(others)}>
                {t.clear}
              </Button>
            )}
          </Stack>
        </Popover.Dropdown>
      </Popover>
    </>
  )
}

type SlowProps = Omit<Parameters<typeof TextInput>[0], "value" | "onChange"> & {
  value: string
  /** Called once the typing has paused. */
  onSettle(value: string): void
}

/** A field whose value the address takes once the typing has paused. */
function SlowInput({ value, onSettle, ...props }: SlowProps) {
  const [text, setText] = useState(value)
  // The address changes by itself, too: back and forth, or by clearing all filters.
  useEffect(() => setText(value), [value])
  const settle = useDebouncedCallback(onSettle, pauseMs)
  return (
    <TextInput
      {...props}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        settle(currentTarget.value)
      }}
    />
  )
}

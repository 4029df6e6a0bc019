/** Chooses which columns the table has, and in which order. */
import { ActionIcon, Button, Checkbox, Group, Popover, ScrollArea, Text } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { Icon } from "../shell/Icon.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useColumnTitle } from "./columnTitles.ts"
import type { TableColumn } from "./tableColumns.ts"
import { isShown, type Preferences } from "./usePreferences.ts"

const texts = defineTexts({
  en: {
    columns: "Columns",
    up: (title: string) => `Move ${title} up`,
    down: (title: string) => `Move ${title} down`,
    shared: "All who work on this bot see them so, and exports follow.",
    own: "Only you see them so: you may read this bot, and not change it.",
    reset: "Reset",
  },
  de: {
    columns: "Spalten",
    up: (title: string) => `${title} nach oben`,
    down: (title: string) => `${title} nach unten`,
    shared: "So sehen sie alle, die an diesem Bot arbeiten, und so wird exportiert.",
    own: "Nur du siehst sie so: Du darfst diesen Bot lesen, aber nicht ändern.",
    reset: "Zurücksetzen",
  },
})

type Props = {
  /** In their order. */
  columns: readonly TableColumn[]
  preferences: Preferences
  change(changes: Partial<Preferences>): void
  mayEdit: boolean
}

export function ColumnsMenu({ columns, preferences, change, mayEdit }: Props) {
  const t = useTexts(texts)
  const titleOf = useColumnTitle()
  const [isOpen, { toggle, close }] = useDisclosure()
  const move = (from: number, to: number) => {
    const ids = columns.map(({ id }) => id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    change({ columnsOrder: ids })
  }
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="sliders-horizontal" size={16} />}
          onClick={toggle}
        >
          <span className="wideOnly">{t.columns}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown w={320} p="xs" aria-label={t.columns}>
        <ScrollArea.Autosize mah="min(24rem, 50vh)" type="auto">
          {columns.map((column, place) => (
            <Group key={column.id} gap={2} wrap="nowrap" px={4} py={2}>
              <Checkbox
                size="xs"
                flex={1}
                miw={0}
                label={titleOf(column)}
                checked={isShown(preferences, column)}
                onChange={({ currentTarget }) =>
                  change({
                    columnsVisibility: {
                      ...preferences.columnsVisibility,
                      [column.id]: currentTarget.checked,
                    },
                  })
                }
              />
              <ActionIcon
                size="sm"
                aria-label={t.up(titleOf(column))}
                disabled={place === 0}
                onClick={() => move(place, place - 1)}
              >
                <Icon name="arrow-up" size={14} />
              </ActionIcon>
              <ActionIcon
                size="sm"
                aria-label={t.down(titleOf(column))}
                disabled={place === columns.length - 1}
                onClick={() => move(place, place + 1)}
              >
                <Icon name="arrow-down" size={14} />
              </ActionIcon>
            </Group>
          ))}
        </ScrollArea.Autosize>
        <Group justify="space-between" wrap="nowrap" gap="sm" pt="xs" px={4}>
          <Text size="xs" c="dimmed">
            {mayEdit ? t.shared : t.own}
          </Text>
          <Button
            variant="subtle"
            size="compact-xs"
            style={{ flexShrink: 0 }}
            onClick={() => change({ columnsOrder: [], columnsVisibility: {}, columnsWidth: {} })}
          >
            {t.reset}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

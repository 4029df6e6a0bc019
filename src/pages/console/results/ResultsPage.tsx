/** Results of a bot: a table to filter, arrange, export and delete, and one result beside it. */
import { ActionIcon, Button, Group, Menu, Skeleton, Stack, Text, Tooltip } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { createLazyRoute, useNavigate, useSearch } from "@tanstack/react-router"
import type { RowSelectionState } from "@tanstack/react-table"
import { useMemo, useState } from "react"
import { Icon } from "../shell/Icon.tsx"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { ColumnsMenu } from "./ColumnsMenu.tsx"
import { DeleteDialog, type Deletion } from "./DeleteDialog.tsx"
import { EraseDialog } from "./EraseDialog.tsx"
import { ExportDialog } from "./ExportDialog.tsx"
import { Filters } from "./Filters.tsx"
import { ResultCards } from "./ResultCards.tsx"
import { ResultDrawer } from "./ResultDrawer.tsx"
import classes from "./ResultsPage.module.css"
import { ResultsTable } from "./ResultsTable.tsx"
import { useListedColumns, useResults } from "./resultQueries.ts"
import type { ResultsSearch } from "./resultsSearch.ts"
import { tableColumns } from "./tableColumns.ts"
import { inOrder, usePreferences } from "./usePreferences.ts"

const texts = defineTexts({
  en: {
    refresh: "Refresh",
    export: "Export",
    more: "More",
    erase: "Erase a person’s data…",
    deleteAll: "Delete all results…",
    selected: (count: number) => (count === 1 ? "1 selected" : `${count} selected`),
    delete: "Delete",
    unselect: "Clear the selection",
    noneTitle: "No results here",
    none: "A result is there as soon as a person has answered a question of the published bot.",
    noneMatching: "No result of this period passes the filters.",
    allTime: "Show all time",
    clear: "Clear filters",
  },
  de: {
    refresh: "Aktualisieren",
    export: "Exportieren",
    more: "Mehr",
    erase: "Daten einer Person löschen …",
    deleteAll: "Alle Ergebnisse löschen …",
    selected: (count: number) => `${count} ausgewählt`,
    delete: "Löschen",
    unselect: "Auswahl aufheben",
    noneTitle: "Keine Ergebnisse",
    none: "Ein Ergebnis entsteht, sobald jemand eine Frage des veröffentlichten Bots beantwortet hat.",
    noneMatching: "Kein Ergebnis dieses Zeitraums passt zu den Filtern.",
    allTime: "Gesamten Zeitraum zeigen",
    clear: "Filter zurücksetzen",
  },
})

export const Route = createLazyRoute("/bots/$botId/results")({ component: ResultsPage })

function ResultsPage() {
  const t = useTexts(texts)
  const search: ResultsSearch = useSearch({ from: "/bots/$botId/results" })
  const navigate = useNavigate({ from: "/bots/$botId/results" })
  const show = (next: ResultsSearch) => void navigate({ search: next, replace: true })
  const { results, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } =
    useResults(search)
  const listed = useListedColumns(search)
  const { preferences, change, mayEdit } = usePreferences()
  const [selection, setSelection] = useState<RowSelectionState>({})
  const [dialog, setDialog] = useState<"export" | "erase" | Deletion>()
  const columns = useMemo(
    () => inOrder(preferences, tableColumns(listed ?? [], results)),
    [preferences, listed, results],
  )
  const selected = Object.keys(selection)
  const isPhone = useMediaQuery("(max-width: 40em)", false, { getInitialValueInEffect: false })
  const Rows = isPhone ? ResultCards : ResultsTable
  const isEmpty = results.length === 0 && !hasNextPage
  const close = () => setDialog(undefined)
  const reload = () => {
    setSelection({})
    void refetch()
  }
  return (
    <div className={classes.page}>
      <Group gap="xs" p="sm" className={classes.bar}>
        <Filters search={search} onChange={show} />
        <Group gap="xs" className={classes.actions}>
          <Tooltip label={t.refresh}>
            <ActionIcon aria-label={t.refresh} loading={isFetching && !isPending} onClick={reload}>
              <Icon name="refresh-cw" />
            </ActionIcon>
          </Tooltip>
          <ColumnsMenu {...{ columns, preferences, change, mayEdit }} />
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={16} />}
            onClick={() => setDialog("export")}
          >
            <span className="wideOnly">{t.export}</span>
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon aria-label={t.more}>
                <Icon name="ellipsis" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<Icon name="shield" />} onClick={() => setDialog("erase")}>
                {t.erase}
              </Menu.Item>
              {mayEdit && (
                <Menu.Item
                  color="red"
                  leftSection={<Icon name="trash-2" />}
                  onClick={() => setDialog({ all: true })}
                >
                  {t.deleteAll}
                </Menu.Item>
              )}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Group>
      {error ? (
        <Stack p="md">
          <Problem error={error} retry={reload} />
        </Stack>
      ) : isPending || listed === undefined ? (
        <Waiting />
      ) : isEmpty ? (
        <Nothing search={search} onShow={show} />
      ) : (
        <Rows
          {...{ results, columns, preferences, change, selection }}
          onSelect={setSelection}
          openId={search.result}
          more={{ isThere: hasNextPage, isLoading: isFetching, load: () => void fetchNextPage() }}
        />
      )}
      {selected.length > 0 && (
        <Group className={classes.selected} gap="sm" wrap="nowrap" role="status">
          <Text size="sm" fw={500}>
            {t.selected(selected.length)}
          </Text>
          {mayEdit && (
            <Button
              size="xs"
              color="red"
              variant="light"
              leftSection={<Icon name="trash-2" size={16} />}
              onClick={() => setDialog({ ids: selected })}
            >
              {t.delete}
            </Button>
          )}
          <ActionIcon aria-label={t.unselect} onClick={() => setSelection({})}>
            <Icon name="x" />
          </ActionIcon>
        </Group>
      )}
      <ResultDrawer
        id={search.result}
        results={results}
        onShow={(id) => {
          const { result: _, ...rest } = search
          show({ ...rest, ...(id !== undefined && { result: id }) })
        }}
        onDelete={mayEdit ? (id) => setDialog({ ids: [id] }) : undefined}
      />
      {dialog === "export" && <ExportDialog search={search} onClose={close} />}
      {dialog === "erase" && <EraseDialog onClose={close} onErased={reload} />}
      {typeof dialog === "object" && (
        <DeleteDialog
          deletion={dialog}
          onClose={close}
          onDeleted={() => {
            const { result: _, ...rest } = search
            show(rest)
            reload()
          }}
        />
      )}
    </div>
  )
}

function Waiting() {
  return (
    <Stack gap={12} p="md" aria-hidden="true">
      {Array.from({ length: 8 }, (_, place) => (
        <Skeleton key={place} height={16} width={`${96 - (place % 3) * 12}%`} />
      ))}
    </Stack>
  )
}

type NothingProps = { search: ResultsSearch; onShow(next: ResultsSearch): void }

function Nothing({ search, onShow }: NothingProps) {
  const t = useTexts(texts)
  const { timeFilter, from, to, result: _, ...filters } = search
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Stack align="center" gap="xs" p="xl" mt="xl" ta="center">
      <Icon name="inbox" size={40} />
      <Text fw={600}>{t.noneTitle}</Text>
      <Text size="sm" c="dimmed" maw="26rem">
        {isFiltered ? t.noneMatching : t.none}
      </Text>
      <Group gap="xs" mt="xs">
        {timeFilter !== "allTime" && (
          <Button
            size="xs"
            variant="default"
            onClick={() => onShow({ ...filters, timeFilter: "allTime" })}
          >
            {t.allTime}
          </Button>
        )}
        {isFiltered && (
          <Button
            size="xs"
            variant="default"
            onClick={() =>
              onShow({
                ...(timeFilter && { timeFilter }),
                ...(from && { from }),
                ...(to && { to }),
              })
            }
          >
            {t.clear}
          </Button>
        )}
      </Group>
    </Stack>
  )
}

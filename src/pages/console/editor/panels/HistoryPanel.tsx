/** Who changed what in the draft, and the way back. */
import { Button, Group, Skeleton, Stack, Text, Tooltip } from "@mantine/core"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { api, type Outputs } from "../../shell/api.ts"
import { Icon } from "../../shell/Icon.tsx"
import { Problem } from "../../shell/Problem.tsx"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { useWriting } from "../../shell/writing.ts"
import { type Editing, useEditing } from "../editing.ts"
import { PanelHead } from "./PanelHead.tsx"
import classes from "./SidePanel.module.css"

const texts = defineTexts({
  en: {
    help: "The latest changes. Undo takes your own last one back.",
    undo: "Undo",
    redo: "Redo",
    more: "Earlier changes",
    none: "No changes yet.",
    someone: "A person without access by now",
    kinds: {
      edit: "changed",
      undo: "took back",
      redo: "made again",
    },
    group: "a group",
    block: "a block",
    edge: "a connection",
    variable: "a variable",
    event: "an event",
    theme: "the theme",
    settings: "the settings",
    bot: "the bot",
    andMore: (count: number) => `and ${count} more`,
  },
  de: {
    help: "Die neuesten Änderungen. Rückgängig nimmt deine eigene letzte zurück.",
    undo: "Rückgängig",
    redo: "Wiederholen",
    more: "Frühere Änderungen",
    none: "Noch keine Änderungen.",
    someone: "Eine Person ohne Zugang",
    kinds: {
      edit: "hat geändert:",
      undo: "hat zurückgenommen:",
      redo: "hat wiederholt:",
    },
    group: "eine Gruppe",
    block: "einen Block",
    edge: "eine Verbindung",
    variable: "eine Variable",
    event: "ein Ereignis",
    theme: "das Aussehen",
    settings: "die Einstellungen",
    bot: "den Bot",
    andMore: (count: number) => `und ${count} weitere`,
  },
})

const maxNamed = 3

type Listed = Outputs["bot"]["listEdits"]["edits"][number]

export function HistoryPanel() {
  const t = useTexts(texts)
  const { botId, bot, mayEdit, undo, redo } = useEditing()
  const query = useInfiniteQuery(
    api.bot.listEdits.infiniteQueryOptions(
      { botId, limit: 30 },
      { getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined },
    ),
  )
  const { refetch } = query
  useEffect(() => {
    void refetch()
  }, [bot.revision, refetch])
  const edits = query.data?.pages.flatMap((page) => page.edits) ?? []
  return (
    <div className={classes.content}>
      <PanelHead name="history" help={t.help} />
      {mayEdit && (
        <Group gap="xs">
          <Button variant="default" leftSection={<Icon name="undo-2" size={16} />} onClick={undo}>
            {t.undo}
          </Button>
          <Button variant="default" leftSection={<Icon name="redo-2" size={16} />} onClick={redo}>
            {t.redo}
          </Button>
        </Group>
      )}
      {query.error && <Problem error={query.error} />}
      {query.isPending && <Skeleton height={96} />}
      {query.isSuccess && edits.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      <Stack gap="md" component="ol" className={classes.list}>
        {edits.map((edit) => (
          <EditRow key={edit.revision} edit={edit} />
        ))}
      </Stack>
      {query.hasNextPage && (
        <Button
          variant="subtle"
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          {t.more}
        </Button>
      )}
    </div>
  )
}

function EditRow({ edit: { author, kind, at, elements } }: { edit: Listed }) {
  const t = useTexts(texts)
  const writing = useWriting()
  const editing = useEditing()
  const named = [...new Set(elements.map((element) => nameOf(element, editing, t)))]
  const more = named.length - maxNamed
  const what = [...named.slice(0, maxNamed), ...(more > 0 ? [t.andMore(more)] : [])]
  return (
    <li>
      <Text size="sm">
        <b>{author?.name ?? author?.email ?? t.someone}</b> {t.kinds[kind]} {what.join(", ")}
      </Text>
      <Tooltip label={writing.moment(at)}>
        <Text size="xs" c="dimmed" w="fit-content">
          {writing.ago(at)}
        </Text>
      </Tooltip>
    </li>
  )
}

/** An element such as `block:ID` in words, with its name where it still has one. */
function nameOf(element: string, { bot, entryOf }: Editing, t: (typeof texts)["en"]): string {
  const [, kind = "", id = ""] = /^(\w+)[:.]?([^/]*)/.exec(element) ?? []
  const block = bot.groups.flatMap(({ blocks }) => blocks).find((each) => each.id === id)
  const found = {
    group: bot.groups.find((each) => each.id === id)?.title,
    block: block && (entryOf(block.type)?.label ?? block.type),
    variable: bot.variables.find((each) => each.id === id)?.name,
  }[kind]
  if (found) return `“${found}”`
  const words: Readonly<Record<string, unknown>> = t
  return typeof words[kind] === "string" ? words[kind] : kind
}

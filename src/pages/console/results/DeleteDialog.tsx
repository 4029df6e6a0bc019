/** Deletes results, after it has said how many and what goes with them. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import { parley } from "../shell/api.ts"
import { notify, reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useReturnedFocus } from "../shell/useReturnedFocus.ts"
import { useWriting } from "../shell/writing.ts"
import { useBotId } from "./resultQueries.ts"

const texts = defineTexts({
  en: {
    title: "Delete results",
    what: (count: string, isOne: boolean) =>
      isOne ? "1 result will be deleted" : `${count} results will be deleted`,
    all: "These are all results of this bot, of every period and filter.",
    goes: "Answers, transcripts, logs and uploaded files go with them, and chats that are still running end. Analytics lose them too. This cannot be undone.",
    counting: "Counting…",
    delete: "Delete",
    cancel: "Cancel",
    close: "Close",
    done: (count: string) => `Deleted: ${count}`,
  },
  de: {
    title: "Ergebnisse löschen",
    what: (count: string, isOne: boolean) =>
      isOne ? "1 Ergebnis wird gelöscht" : `${count} Ergebnisse werden gelöscht`,
    all: "Das sind alle Ergebnisse dieses Bots, aus jedem Zeitraum und ohne Filter.",
    goes: "Antworten, Verläufe, Protokolle und hochgeladene Dateien verschwinden mit ihnen, und laufende Gespräche enden. Auch aus der Analyse fallen sie heraus. Das lässt sich nicht rückgängig machen.",
    counting: "Wird gezählt …",
    delete: "Löschen",
    cancel: "Abbrechen",
    close: "Schließen",
    done: (count: string) => `Gelöscht: ${count}`,
  },
})

export type Deletion = { all: true } | { ids: readonly string[] }

/** Ids of results in one request. */
const atOnce = 1_000

type Props = { deletion: Deletion; onClose(): void; onDeleted(): void }

export function DeleteDialog({ deletion, onClose, onDeleted }: Props) {
  useReturnedFocus()
  const t = useTexts(texts)
  const writing = useWriting()
  const botId = useBotId()
  const counted = useQuery({
    queryKey: ["countedResults", botId, deletion],
    queryFn: () => deleteResults(botId, deletion, true),
    gcTime: 0,
  })
  const deleting = useMutation({
    mutationFn: () => deleteResults(botId, deletion, false),
    onSuccess: (count) => {
      void notify({ message: t.done(writing.number(count)) })
      onClose()
      onDeleted()
    },
    onError: reportProblem,
  })
  const { data: count } = counted
  return (
    <Modal opened onClose={onClose} title={t.title} closeButtonProps={{ "aria-label": t.close }}>
      <Stack gap="sm">
        {counted.error ? (
          <Problem error={counted.error} />
        ) : (
          <>
            <Text fw={600} role="status">
              {count === undefined ? t.counting : t.what(writing.number(count), count === 1)}
            </Text>
            {"all" in deletion && <Text size="sm">{t.all}</Text>}
            <Text size="sm" c="dimmed">
              {t.goes}
            </Text>
          </>
        )}
        <Group justify="flex-end" gap="xs" mt="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            color="red"
            disabled={!count}
            loading={deleting.isPending}
            onClick={() => deleting.mutate()}
          >
            {t.delete}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** Deletes or only counts results; returns how many. */
async function deleteResults(botId: string, deletion: Deletion, dryRun: boolean): Promise<number> {
  if ("all" in deletion) {
    return (await parley.result.delete.mutate({ botId, all: true, dryRun })).count
  }
  let sum = 0
  for (let start = 0; start < deletion.ids.length; start += atOnce) {
    const resultIds = deletion.ids.slice(start, start + atOnce).join(",")
    sum += (await parley.result.delete.mutate({ botId, resultIds, dryRun })).count
  }
  return sum
}

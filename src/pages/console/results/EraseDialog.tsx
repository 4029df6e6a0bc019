/** Erases what a person has said, in all bots or this one: counts first, and deletes what was counted. */
import { Button, Checkbox, Group, Modal, Radio, Stack, Table, Text, TextInput } from "@mantine/core"
import { useMutation, useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api, type Inputs, parley } from "../shell/api.ts"
import { notify, reportProblem } from "../shell/notify.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useReturnedFocus } from "../shell/useReturnedFocus.ts"
import { useWriting } from "../shell/writing.ts"
import { useBotId } from "./resultQueries.ts"

const texts = defineTexts({
  en: {
    title: "Erase a person’s data",
    what: "Finds every result in which an answer, a message or a variable is what you name, as for a request to be forgotten. Only admins of the workspace may.",
    value: "Value",
    valueHint: "Such as their email address",
    match: "How to compare",
    equals: "Equals the value, ignoring case",
    contains: "Contains the value",
    key: "Conversation key",
    keyHint: "All results of this person’s key",
    onlyHere: "Only in this bot",
    count: "Count",
    none: "No result matches. Nothing was deleted.",
    counted: (count: string) => `Results that match: ${count}`,
    bot: "Bot",
    results: "Results",
    thisBot: "this bot",
    goes: "Answers, transcripts, logs and files of these results are deleted, and their running chats end. Empty rows remain for counting. This cannot be undone.",
    erase: (count: string) => `Erase ${count}`,
    erased: (count: string) => `Erased: ${count}`,
    searching: (count: string) => `Searching… ${count} so far`,
    cancel: "Cancel",
    close: "Close",
    back: "Back",
  },
  de: {
    title: "Daten einer Person löschen",
    what: "Findet jedes Ergebnis, in dem eine Antwort, eine Nachricht oder eine Variable das ist, was du angibst, etwa wenn jemand vergessen werden möchte. Das dürfen nur Admins des Arbeitsbereichs.",
    value: "Wert",
    valueHint: "Zum Beispiel die E-Mail-Adresse",
    match: "Vergleich",
    equals: "Ist gleich dem Wert, ohne Groß- und Kleinschreibung",
    contains: "Enthält den Wert",
    key: "Gesprächsschlüssel",
    keyHint: "Alle Ergebnisse unter dem Schlüssel dieser Person",
    onlyHere: "Nur in diesem Bot",
    count: "Zählen",
    none: "Kein Ergebnis passt. Es wurde nichts gelöscht.",
    counted: (count: string) => `Passende Ergebnisse: ${count}`,
    bot: "Bot",
    results: "Ergebnisse",
    thisBot: "dieser Bot",
    goes: "Antworten, Verläufe, Protokolle und Dateien dieser Ergebnisse werden gelöscht, laufende Gespräche enden. Leere Zeilen bleiben zum Zählen. Das lässt sich nicht rückgängig machen.",
    erase: (count: string) => `${count} löschen`,
    erased: (count: string) => `Gelöscht: ${count}`,
    searching: (count: string) => `Suche läuft … bisher ${count}`,
    cancel: "Abbrechen",
    close: "Schließen",
    back: "Zurück",
  },
})

type Criteria = Omit<Inputs["workspace"]["erase"], "dryRun" | "cursor" | "confirmation">
type Found = { byBot: ReadonlyMap<string, number>; confirmation?: string }

/** Calls the operation until everything is searched. */
async function eraseAll(
  criteria: Criteria & { confirmation?: string; dryRun: boolean },
  { signal, onFound }: { signal: AbortSignal; onFound(count: number): void },
): Promise<Found> {
  const byBot = new Map<string, number>()
  for (let cursor: string | undefined; ; ) {
    const page = await parley.workspace.erase.mutate(
      { ...criteria, ...(cursor !== undefined && { cursor }) },
      { signal },
    )
    for (const { botId, results } of page.bots) byBot.set(botId, (byBot.get(botId) ?? 0) + results)
    onFound(sumOf(byBot))
    cursor = page.nextCursor
    if (cursor === undefined) {
      return { byBot, ...(page.confirmation !== undefined && { confirmation: page.confirmation }) }
    }
  }
}

function sumOf(byBot: ReadonlyMap<string, number>): number {
  return [...byBot.values()].reduce((sum, count) => sum + count, 0)
}

export function EraseDialog({ onClose, onErased }: { onClose(): void; onErased(): void }) {
  useReturnedFocus()
  const t = useTexts(texts)
  const writing = useWriting()
  const botId = useBotId()
  const { data } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const [value, setValue] = useState("")
  const [key, setKey] = useState("")
  const [match, setMatch] = useState<"equals" | "contains">("equals")
  const [isOnlyHere, setOnlyHere] = useState(false)
  const [sum, setSum] = useState(0)
  const stop = useRef<AbortController>(undefined)
  useEffect(() => () => stop.current?.abort(), [])
  const criteria: Criteria = {
    workspaceId: data.bot.workspaceId,
    match,
    ...(value !== "" && { value }),
    ...(key !== "" && { conversationKey: key }),
    ...(isOnlyHere && { botIds: [botId] }),
  }
  const run = (confirmation: string | undefined, dryRun: boolean) => {
    stop.current = new AbortController()
    setSum(0)
    return eraseAll(
      { ...criteria, dryRun, ...(confirmation !== undefined && { confirmation }) },
      { signal: stop.current.signal, onFound: setSum },
    )
  }
  const counting = useMutation({ mutationFn: () => run(undefined, true), onError: reportProblem })
  const erasing = useMutation({
    mutationFn: () => run(counting.data?.confirmation, false),
    onSuccess: ({ byBot }) => {
      void notify({ message: t.erased(writing.number(sumOf(byBot))) })
      onClose()
      onErased()
    },
    onError: reportProblem,
  })
  const isRunning = counting.isPending || erasing.isPending
  const found = counting.data
  const count = found ? sumOf(found.byBot) : 0
  return (
    <Modal opened onClose={onClose} title={t.title} closeButtonProps={{ "aria-label": t.close }}>
      {found === undefined ? (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            counting.mutate()
          }}
        >
          <Stack gap="md">
            <Text size="sm" c="dimmed">
              {t.what}
            </Text>
            <TextInput
              label={t.value}
              description={t.valueHint}
              value={value}
              maxLength={10_000}
              data-autofocus
              onChange={({ currentTarget }) => setValue(currentTarget.value)}
            />
            <Radio.Group
              aria-label={t.match}
              value={match}
              onChange={(next) => setMatch(next === "contains" ? next : "equals")}
            >
              <Stack gap="xs">
                <Radio value="equals" label={t.equals} />
                <Radio value="contains" label={t.contains} />
              </Stack>
            </Radio.Group>
            <TextInput
              label={t.key}
              description={t.keyHint}
              value={key}
              maxLength={255}
              onChange={({ currentTarget }) => setKey(currentTarget.value)}
            />
            <Checkbox
              label={t.onlyHere}
              checked={isOnlyHere}
              onChange={({ currentTarget }) => setOnlyHere(currentTarget.checked)}
            />
            <Group justify="flex-end" gap="xs">
              {isRunning && (
                <Text size="sm" c="dimmed" role="status" me="auto">
                  {t.searching(writing.number(sum))}
                </Text>
              )}
              <Button variant="default" onClick={onClose}>
                {t.cancel}
              </Button>
              <Button type="submit" loading={isRunning} disabled={value === "" && key === ""}>
                {t.count}
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <Stack gap="sm">
          <Text fw={600} role="status">
            {count === 0 ? t.none : t.counted(writing.number(count))}
          </Text>
          {count > 0 && (
            <>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t.bot}</Table.Th>
                    <Table.Th ta="end">{t.results}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {[...found.byBot].map(([id, results]) => (
                    <Table.Tr key={id}>
                      <Table.Td>
                        {id === botId ? `${data.bot.name} (${t.thisBot})` : <BotName id={id} />}
                      </Table.Td>
                      <Table.Td ta="end">{writing.number(results)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
              <Text size="sm" c="dimmed">
                {t.goes}
              </Text>
            </>
          )}
          <Group justify="flex-end" gap="xs" mt="xs">
            {isRunning && (
              <Text size="sm" c="dimmed" role="status" me="auto">
                {t.searching(writing.number(sum))}
              </Text>
            )}
            <Button variant="default" disabled={isRunning} onClick={() => counting.reset()}>
              {t.back}
            </Button>
            {count > 0 && (
              <Button color="red" loading={isRunning} onClick={() => erasing.mutate()}>
                {t.erase(writing.number(count))}
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

/** The name of another bot of the workspace, its id until that is read. */
function BotName({ id }: { id: string }) {
  const { data } = useQuery(api.bot.get.queryOptions({ botId: id }))
  return data?.bot.name ?? id
}

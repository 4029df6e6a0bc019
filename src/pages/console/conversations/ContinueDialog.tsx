/** Leads a conversation to another group of the flow. */
import { Button, Group, Modal, NativeSelect, Stack, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api } from "../shell/api.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useReturnedFocus } from "../shell/useReturnedFocus.ts"
import type { Change } from "./change.ts"

const texts = defineTexts({
  en: {
    title: "Continue elsewhere",
    what: "The bot goes on at the beginning of the group, and the visitor sees at once what it says. The question that waits now is left.",
    resumes: "The bot is resumed.",
    group: "Group",
    go: "Continue there",
    cancel: "Cancel",
    close: "Close",
  },
  de: {
    title: "Woanders fortsetzen",
    what: "Der Bot macht am Anfang der Gruppe weiter, und sofort ist zu sehen, was er sagt. Die Frage, die gerade offen ist, wird verlassen.",
    resumes: "Der Bot wird dabei fortgesetzt.",
    group: "Gruppe",
    go: "Dort fortsetzen",
    cancel: "Abbrechen",
    close: "Schließen",
  },
})

type Props = {
  botId: string
  /** Absent: the version was deleted. */
  versionNumber: number | undefined
  isPaused: boolean
  change(changes: Change): Promise<unknown>
  onClose(): void
}

export function ContinueDialog({ botId, versionNumber, isPaused, change, onClose }: Props) {
  useReturnedFocus()
  const t = useTexts(texts)
  const [groupId, setGroupId] = useState<string>()
  const { data, error } = useQuery({
    ...api.version.get.queryOptions({ botId, number: versionNumber ?? 1 }),
    enabled: versionNumber !== undefined,
  })
  const groups = (data?.version.bot.groups ?? []) as { id: string; title: string }[]
  const chosen = groupId ?? groups[0]?.id
  return (
    <Modal opened onClose={onClose} title={t.title} closeButtonProps={{ "aria-label": t.close }}>
      <Stack gap="md">
        {error && <Problem error={error} />}
        <Text size="sm" c="dimmed">
          {t.what} {isPaused && t.resumes}
        </Text>
        <NativeSelect
          label={t.group}
          value={chosen ?? ""}
          data={groups.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={({ currentTarget }) => setGroupId(currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            disabled={chosen === undefined}
            onClick={() => {
              if (chosen === undefined) return
              const continueAt = { groupId: chosen }
              void change({ continueAt, ...(isPaused && { state: "active" }) }).then(
                onClose,
                () => undefined,
              )
            }}
          >
            {t.go}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

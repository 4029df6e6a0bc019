/** Ends a conversation, after it has said what that means. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useReturnedFocus } from "../shell/useReturnedFocus.ts"
import type { Change } from "./change.ts"

const texts = defineTexts({
  en: {
    title: "End the conversation",
    what: "The bot answers no further message of this chat. What was said stays in the result. The next message of the visitor begins a new conversation.",
    end: "End",
    cancel: "Cancel",
    close: "Close",
  },
  de: {
    title: "Gespräch beenden",
    what: "Der Bot antwortet in diesem Gespräch nicht mehr. Was gesagt wurde, bleibt im Ergebnis. Die nächste Nachricht beginnt ein neues Gespräch.",
    end: "Beenden",
    cancel: "Abbrechen",
    close: "Schließen",
  },
})

type Props = { change(changes: Change): Promise<unknown>; onClose(): void }

export function EndDialog({ change, onClose }: Props) {
  useReturnedFocus()
  const t = useTexts(texts)
  return (
    <Modal opened onClose={onClose} title={t.title} closeButtonProps={{ "aria-label": t.close }}>
      <Stack gap="md">
        <Text size="sm">{t.what}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button
            color="red"
            onClick={() => void change({ state: "ended" }).then(onClose, () => undefined)}
          >
            {t.end}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

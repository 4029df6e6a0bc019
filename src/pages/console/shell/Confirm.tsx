/** Asks before something is done that cannot be taken back, and says what goes with it. */

import { Button, Group, Modal, Stack, Text } from "@mantine/core"
import type { ReactNode } from "react"
import { closeTexts } from "./closeTexts.ts"
import { defineTexts, useTexts } from "./texts.ts"

const texts = defineTexts({ en: { cancel: "Cancel" }, de: { cancel: "Abbrechen" } })

type Props = {
  isOpen: boolean
  title: string
  text: ReactNode
  /** The word on the button that does it. */
  action: string
  /** Absent: red, as for what is lost. */
  color?: string
  isPending?: boolean
  onConfirm(): void
  onClose(): void
}

export function Confirm({
  isOpen,
  title,
  text,
  action,
  color = "red",
  isPending,
  onConfirm,
  onClose,
}: Props) {
  const t = useTexts(texts)
  const { close } = useTexts(closeTexts)
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeButtonProps={{ "aria-label": close }}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t.cancel}
          </Button>
          <Button color={color} loading={isPending ?? false} onClick={onConfirm} data-autofocus>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

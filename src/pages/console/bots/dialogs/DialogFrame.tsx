/** The frame of a dialog: it opens when it appears, and is gone once it has closed. */
import { Modal, type ModalProps } from "@mantine/core"
import { useDisclosure } from "@mantine/hooks"
import { type ReactNode, useEffect } from "react"
import { useTexts } from "../../shell/texts.ts"
import { dialogTexts } from "./dialogTexts.ts"

type Props = Pick<ModalProps, "title" | "size"> & {
  onClosed: () => void
  children: (close: () => void) => ReactNode
}

export function DialogFrame({ onClosed, children, ...props }: Props) {
  const t = useTexts(dialogTexts)
  const [isOpen, { open, close }] = useDisclosure(false)
  // Opened afterwards, so that the focus returns to where it was before.
  useEffect(open, [open])
  return (
    <Modal
      {...props}
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={onClosed}
      closeButtonProps={{ "aria-label": t.close }}
    >
      {children(close)}
    </Modal>
  )
}

/** A list to choose from by typing: where an exit leads, what the canvas jumps to. */
import { Combobox, Modal, Text, TextInput, useCombobox } from "@mantine/core"
import { useEffect, useState } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import { useReturnedFocus } from "../../shell/useReturnedFocus.ts"
import classes from "./Canvas.module.css"
import { canvasTexts } from "./canvasTexts.ts"

export type Choice = {
  id: string
  label: string
  detail?: string | undefined
  /** Whether it stands apart from the elements of the flow, and is always offered. */
  isAction?: boolean
  choose(): void
}

/** Most choices that are listed at once. */
const maxListed = 50

type Props = { title: string; hint: string; choices: readonly Choice[]; onClose(): void }

export function Finder({ title, hint, choices, onClose }: Props) {
  useReturnedFocus()
  const t = useTexts(canvasTexts)
  const [sought, setSought] = useState("")
  const store = useCombobox({ opened: true, onDropdownClose: onClose })
  const words = sought.trim().toLowerCase()
  const found = choices
    .filter(
      ({ label, detail = "", isAction }) =>
        isAction || `${label} ${detail}`.toLowerCase().includes(words),
    )
    .slice(0, maxListed)
  const { selectFirstOption } = store
  // Enter chooses the first of what was found.
  useEffect(() => void selectFirstOption(), [selectFirstOption, words])
  return (
    <Modal opened onClose={onClose} title={title} size="md" yOffset="12vh" centered={false}>
      <Combobox
        store={store}
        onOptionSubmit={(id) => {
          onClose()
          found.find((each) => each.id === id)?.choose()
        }}
      >
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label={title}
            placeholder={hint}
            value={sought}
            leftSection={<Icon name="search" size={16} />}
            onChange={(event) => setSought(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className={classes.choices} aria-label={title}>
          {found.map(({ id, label, detail, isAction }) => (
            <Combobox.Option key={id} value={id}>
              <Text size="sm" truncate fw={isAction ? 500 : 400}>
                {label || t.untitled}
              </Text>
              {detail && (
                <Text size="xs" c="dimmed" truncate>
                  {detail}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {found.length === 0 && <Combobox.Empty>{t.nothingFound}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Modal>
  )
}

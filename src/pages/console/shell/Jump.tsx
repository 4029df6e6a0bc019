/** A list of places to jump to, found by typing: bots, views, parts of the workspace, and how the console looks. */
import { Combobox, Group, Modal, Text, TextInput, useCombobox } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useEffect, useState } from "react"
import { closeTexts } from "./closeTexts.ts"
import { Icon } from "./Icon.tsx"
import { defineTexts, useTexts } from "./texts.ts"
import { usePlaces } from "./usePlaces.ts"

const texts = defineTexts({
  en: { title: "Jump to", hint: "Bot, view, setting", none: "Nothing has this name." },
  de: { title: "Springen zu", hint: "Bot, Ansicht, Einstellung", none: "Nichts heißt so." },
})

const pauseMs = 150

export function Jump({ close }: { close(): void }) {
  const t = useTexts(texts)
  const { close: closeWord } = useTexts(closeTexts)
  const [sought, setSought] = useState("")
  const [searched] = useDebouncedValue(sought.trim(), pauseMs)
  const sections = usePlaces({ words: sought.trim().toLowerCase(), searched })
  const places = sections.flatMap((section) => section.places)
  const store = useCombobox({ opened: true, onDropdownClose: close })
  const { selectFirstOption } = store
  const first = places[0]?.id
  // Enter chooses the first of what was found.
  useEffect(() => void (first && selectFirstOption()), [selectFirstOption, first])
  return (
    <Modal
      opened
      onClose={close}
      title={t.title}
      yOffset="12vh"
      centered={false}
      closeButtonProps={{ "aria-label": closeWord }}
    >
      <Combobox
        store={store}
        onOptionSubmit={(id) => {
          close()
          places.find((place) => place.id === id)?.go()
        }}
      >
        <Combobox.EventsTarget>
          <TextInput
            data-autofocus
            aria-label={t.title}
            placeholder={t.hint}
            value={sought}
            leftSection={<Icon name="search" size={16} />}
            onChange={({ currentTarget }) => setSought(currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options className="places" aria-label={t.title}>
          {sections.map(({ title, places: found }) => (
            <Combobox.Group key={title} label={title}>
              {found.map(({ id, label, icon }) => (
                <Combobox.Option key={id} value={id}>
                  <Group gap="xs" wrap="nowrap">
                    <Icon name={icon} size={16} />
                    <Text size="sm" truncate>
                      {label}
                    </Text>
                  </Group>
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {places.length === 0 && <Combobox.Empty>{t.none}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Modal>
  )
}

/** A button that offers the variables of the bot. */
import { ActionIcon, Combobox, useCombobox } from "@mantine/core"
import { useState } from "react"
import { Icon } from "../../../shell/Icon.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { useEditing } from "../../editing.ts"
import { blockTexts } from "../blockTexts.ts"
import { newId } from "../newId.ts"

/** Called with the token of a variable, which is created when it is new. */
export function InsertVariable({ onPick }: { onPick(token: string): void }) {
  const t = useTexts(blockTexts)
  const { bot, edit } = useEditing()
  const [search, setSearch] = useState("")
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => setSearch(""),
  })
  const wanted = search.trim()
  const names = bot.variables.map(({ name }) => name)
  const found = names.filter((name) => name.toLowerCase().includes(wanted.toLowerCase()))
  const pick = (name: string) => {
    if (!names.includes(name)) edit([{ type: "variable.put", variable: { id: newId(), name } }])
    onPick(`{{${name}}}`)
    combobox.closeDropdown()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={pick} width={240} position="bottom-end" withinPortal>
      <Combobox.Target withAriaAttributes={false}>
        <ActionIcon
          size="sm"
          aria-label={t.insertVariable}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => combobox.toggleDropdown()}
        >
          <Icon name="variable" size={15} />
        </ActionIcon>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          aria-label={t.pickVariable}
          placeholder={t.pickVariable}
        />
        <Combobox.Options mah={240} style={{ overflowY: "auto" }}>
          {found.map((name) => (
            <Combobox.Option key={name} value={name}>
              {name}
            </Combobox.Option>
          ))}
          {wanted !== "" && !names.includes(wanted) && (
            <Combobox.Option value={wanted}>{t.create(wanted)}</Combobox.Option>
          )}
          {found.length === 0 && wanted === "" && <Combobox.Empty>{t.noVariables}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

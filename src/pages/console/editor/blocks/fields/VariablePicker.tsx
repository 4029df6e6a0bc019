/** Picks a variable of the bot, or creates one under the name that was typed. */

import { Select } from "@mantine/core"
import { useState } from "react"
import { Icon } from "../../../shell/Icon.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { useEditing } from "../../editing.ts"
import type { FieldProps } from "../blockForm.ts"
import { helpOf } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"
import { newId } from "../newId.ts"

const newPrefix = "new:"

export function VariablePicker({ schema, value, label, isBare, onChange }: FieldProps) {
  const t = useTexts(blockTexts)
  const { bot, edit } = useEditing()
  const [search, setSearch] = useState("")
  const id = typeof value === "string" && value !== "" ? value : undefined
  const known = bot.variables.map(({ id: own, name }) => ({ value: own, label: name }))
  const isKnown = id === undefined || known.some((each) => each.value === id)
  const wanted = search.trim()
  const isNew = wanted !== "" && !known.some((each) => each.label === wanted)
  const data = [
    ...known,
    ...(isKnown ? [] : [{ value: id, label: t.unknown(id) }]),
    ...(isNew ? [{ value: newPrefix + wanted, label: t.create(wanted) }] : []),
  ]
  const pick = (picked: string | null) => {
    if (!picked?.startsWith(newPrefix)) return onChange(picked ?? undefined)
    const variable = { id: newId(), name: picked.slice(newPrefix.length) }
    edit([{ type: "variable.put", variable }])
    onChange(variable.id)
  }
  return (
    <Select
      label={isBare ? undefined : label}
      {...(isBare && { "aria-label": schema.title })}
      aria-description={helpOf(schema)}
      data={data}
      value={id ?? null}
      onChange={pick}
      searchable
      clearable
      searchValue={search}
      onSearchChange={setSearch}
      leftSection={<Icon name="variable" size={15} />}
      placeholder={t.pickVariable}
      nothingFoundMessage={t.noVariables}
      comboboxProps={{ withinPortal: true }}
    />
  )
}

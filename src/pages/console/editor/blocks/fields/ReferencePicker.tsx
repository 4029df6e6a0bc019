/** Picks a group or a block of this bot, or another bot of the workspace. */

import { Select } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { api } from "../../../shell/api.ts"
import { useTexts } from "../../../shell/texts.ts"
import { type Editing, useEditing } from "../../editing.ts"
import { type FieldProps, useForm } from "../blockForm.ts"
import { helpOf, hintsOf, valueAt } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"

type Option = { value: string; label: string }

export function ReferencePicker({ schema, value, path, label, onChange }: FieldProps) {
  const t = useTexts(blockTexts)
  const { refersTo } = hintsOf(schema)
  const editing = useEditing()
  const form = useForm()
  const around = path.slice(0, -1)
  const linked = ["botId", "typebotId"].map((name) => valueAt(form.value, [...around, name]))
  const otherId = linked.find((each) => typeof each === "string" && each !== "")
  const isElsewhere =
    refersTo !== "bot" &&
    typeof otherId === "string" &&
    !["current", editing.botId].includes(otherId)
  const { data: bots } = useQuery({
    ...api.bot.list.queryOptions({ workspaceId: editing.bot.workspaceId }),
    enabled: refersTo === "bot" || isElsewhere,
  })
  const { data: other } = useQuery({
    ...api.bot.get.queryOptions({ botId: String(otherId) }),
    // One that is no longer there would be a 404.
    enabled: isElsewhere && bots?.bots.some(({ id }) => id === otherId) === true,
  })
  const groupId = valueAt(form.value, [...around, "groupId"])
  const options: Option[] =
    refersTo === "bot"
      ? (bots?.bots ?? []).map(({ id, name }) => ({
          value: id,
          label: id === editing.botId ? t.thisBot : name,
        }))
      : refersTo === "group"
        ? ((isElsewhere ? other?.bot : editing.bot)?.groups ?? []).map(({ id, title }) => ({
            value: id,
            label: title,
          }))
        : blocksOf(editing, groupId)
  const id = typeof value === "string" && value !== "" ? value : undefined
  const isKnown = id === undefined || options.some((each) => each.value === id)
  return (
    <Select
      label={label}
      aria-description={helpOf(schema)}
      data={isKnown ? options : [...options, { value: id, label: id }]}
      value={id ?? null}
      onChange={(picked) => onChange(picked ?? undefined)}
      searchable
      clearable
    />
  )
}

/** The blocks of a group, by their places and types. */
function blocksOf({ bot, entryOf }: Editing, groupId: unknown): Option[] {
  const group = bot.groups.find(({ id }) => id === groupId)
  return (group?.blocks ?? []).map(({ id, type }, index) => ({
    value: id,
    label: `${index + 1}. ${entryOf(type)?.label ?? type}`,
  }))
}

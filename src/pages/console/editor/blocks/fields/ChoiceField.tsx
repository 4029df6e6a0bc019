/** One of several values: side by side when they are few, else in a list; open where others are taken, too. */

import { Input, SegmentedControl, Select } from "@mantine/core"
import type { FieldProps } from "../blockForm.ts"
import { helpOf } from "../blockSchema.ts"

const maxSideBySide = 3
const maxLetters = 24

export function ChoiceField({ schema, value, label, isRequired, isBare, onChange }: FieldProps) {
  const values = (schema.enum ?? schema.examples ?? []).map(String)
  const chosen = value ?? schema.default
  const text = chosen === undefined || chosen === null ? "" : String(chosen)
  const shown = isBare
    ? { "aria-label": schema.title }
    : { label, "aria-description": helpOf(schema) }
  // The catalogue names the values that the service knows; flows of others may have further ones.
  if (schema.enum === undefined)
    return (
      <Select
        {...shown}
        data={values.includes(text) || text === "" ? values : [...values, text]}
        value={text || null}
        onChange={(next) => onChange(next ?? undefined)}
      />
    )
  const isShort = values.length <= maxSideBySide && values.join("").length <= maxLetters
  if (isShort && text !== "" && !isBare)
    return (
      <Input.Wrapper label={label} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={schema.title ?? ""}
          data={values}
          value={text}
          onChange={onChange}
        />
      </Input.Wrapper>
    )
  return (
    <Select
      {...shown}
      data={values}
      value={text || null}
      searchable={values.length > 8}
      clearable={!isRequired && value !== undefined}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

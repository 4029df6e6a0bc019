/** A value of one of several shapes: which one is chosen first. */

import { Input, SegmentedControl, Stack } from "@mantine/core"
import { useTexts } from "../../../shell/texts.ts"
import { type FieldProps, useForm } from "../blockForm.ts"
import { isRecord, type Schema, typesOf } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"

export function UnionField({ schema, path, value, label, onChange }: FieldProps) {
  const t = useTexts(blockTexts)
  const { Field } = useForm()
  const shapes = (schema.anyOf ?? []).filter((shape) => !typesOf(shape).includes("null"))
  const found = shapes.findIndex((shape) => fits(shape, value))
  const index = Math.max(0, found)
  const shape = shapes[index]
  if (shape === undefined) return null
  const field = <Field schema={{ ...shape, title: label }} path={path} value={value} />
  if (shapes.length === 1) return field
  return (
    <Stack gap="xs">
      <Input.Wrapper label={label} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={`${label}: ${t.kind}`}
          data={shapes.map((each, at) => ({ value: String(at), label: nameOf(each, at) }))}
          value={String(index)}
          onChange={(next) => onChange(emptyOf(shapes[Number(next)]))}
        />
      </Input.Wrapper>
      {field}
    </Stack>
  )
}

function fits(shape: Schema, value: unknown): boolean {
  const types = typesOf(shape)
  if (Array.isArray(value)) return types.includes("array")
  if (!isRecord(value)) return types.includes(typeof value)
  const constants = Object.entries(shape.properties ?? {}).filter(([, each]) => "const" in each)
  return types.includes("object") && constants.every(([name, each]) => each.const === value[name])
}

/** A shape is recognised by its constant members, else by its type. */
function nameOf(shape: Schema, index: number): string {
  const constant = Object.values(shape.properties ?? {}).find((each) => "const" in each)?.const
  return String(constant ?? shape.title ?? typesOf(shape)[0] ?? index + 1)
}

function emptyOf(shape: Schema | undefined): unknown {
  if (shape === undefined) return undefined
  const types = typesOf(shape)
  if (types.includes("array")) return []
  if (!types.includes("object"))
    return shape.enum?.[0] ?? (types.includes("string") ? "" : undefined)
  const constants = Object.entries(shape.properties ?? {}).flatMap(([name, each]) =>
    "const" in each ? [[name, each.const]] : [],
  )
  return Object.fromEntries(constants)
}

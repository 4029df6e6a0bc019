/** A value of one of several shapes: which one is chosen first. */

import { Input, SegmentedControl, Select, Stack } from "@mantine/core"
import { useState } from "react"
import { useTexts } from "../../../shell/texts.ts"
import { type FieldProps, useForm } from "../blockForm.ts"
import { isRecord, type Schema, shapesOf, typesOf } from "../blockSchema.ts"
import { blockTexts } from "../blockTexts.ts"

const maxSideBySide = 3

export function UnionField({ schema, path, value, label, onChange }: FieldProps) {
  const t = useTexts(blockTexts)
  const { Field } = useForm()
  const [picked, setPicked] = useState<number>()
  const shapes = shapesOf(schema).filter((shape) => !typesOf(shape).includes("null"))
  const found = shapes.findIndex((shape) => fits(shape, value))
  const wanted = picked === undefined ? undefined : shapes[picked]
  // Several may fit what is not filled in yet. What a constant tells apart waits until one is chosen.
  const isPicked = wanted !== undefined && fits(wanted, value)
  const index = isPicked ? picked : found < 0 && !shapes.some(hasConstant) ? 0 : found
  const shape = index === undefined ? undefined : shapes[index]
  const isNamed = shapes.length === 1 || !typesOf(shape ?? {}).includes("object")
  const field = shape && (
    <Field schema={{ ...shape, title: isNamed ? label : "" }} path={path} value={value} />
  )
  if (shapes.length === 1) return field
  const pick = (next: string | null) => {
    if (next === null) return
    setPicked(Number(next))
    onChange(emptyOf(shapes[Number(next)]))
  }
  const choice = {
    "aria-label": `${label}: ${t.kind}`.replace(/^: /, ""),
    data: shapes.map((each, at) => ({ value: String(at), label: nameOf(each, at) })),
    value: shape === undefined ? null : String(index),
  }
  return (
    <Stack gap="xs">
      <Input.Wrapper label={label} labelElement="div">
        {shapes.length > maxSideBySide ? (
          <Select {...choice} placeholder={t.kind} onChange={pick} />
        ) : (
          <SegmentedControl {...choice} value={choice.value ?? ""} fullWidth onChange={pick} />
        )}
      </Input.Wrapper>
      {field}
    </Stack>
  )
}

const constantOf = ({ properties = {} }: Schema) =>
  Object.values(properties).find((each) => "const" in each)?.const

const hasConstant = (shape: Schema) => constantOf(shape) !== undefined

function fits(shape: Schema, value: unknown): boolean {
  const types = typesOf(shape)
  if (Array.isArray(value)) return types.includes("array")
  if (!isRecord(value)) return types.includes(typeof value)
  const constants = Object.entries(shape.properties ?? {}).filter(([, each]) => "const" in each)
  return types.includes("object") && constants.every(([name, each]) => each.const === value[name])
}

/** A shape is known by its title, else by its constant members or its type. */
function nameOf(shape: Schema, index: number): string {
  return String(shape.title ?? constantOf(shape) ?? typesOf(shape)[0] ?? index + 1)
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

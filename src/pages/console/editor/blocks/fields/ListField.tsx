/** A list of objects as rows that people sort, each with its text in place and its other members below. */

import { ActionIcon, Button, Collapse, Group, Stack, Text } from "@mantine/core"
import { type DragEvent, type KeyboardEvent, useState } from "react"
import { Icon } from "../../../shell/Icon.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { type FieldProps, useForm } from "../blockForm.ts"
import { hintsOf, isRecord, type Member, membersOf, type Schema, typesOf } from "../blockSchema.ts"
import classes from "../blocks.module.css"
import { blockTexts } from "../blockTexts.ts"
import { newId } from "../newId.ts"
import { ObjectField } from "./ObjectField.tsx"

const maxInRow = 3

export function ListField({ schema, path, value, label, isRequired, onChange }: FieldProps) {
  const t = useTexts(blockTexts)
  const [dragged, setDragged] = useState<number>()
  const list = Array.isArray(value) ? value : []
  const { items = {}, maxItems = Number.POSITIVE_INFINITY } = schema
  const set = (next: readonly unknown[]) =>
    onChange(next.length === 0 && !isRequired ? undefined : next)
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= list.length) return
    const next = list.toSpliced(from, 1)
    set(next.toSpliced(to, 0, list[from]))
  }
  return (
    <fieldset className={classes.section}>
      <legend className={classes.legend}>{label}</legend>
      <Stack gap={6} component="ol" className={classes.rows}>
        {list.map((entry, index) => (
          <Row
            key={isRecord(entry) && typeof entry.id === "string" ? entry.id : index}
            schema={items}
            entry={entry}
            path={[...path, index]}
            name={nameOf(entry) ?? `${label.replace(/s$/, "")} ${index + 1}`}
            isTarget={dragged !== undefined && dragged !== index}
            onRemove={() => set(list.toSpliced(index, 1))}
            onMove={(by) => move(index, index + by)}
            onDrag={(isOn) => setDragged(isOn ? index : undefined)}
            onDrop={() => dragged !== undefined && move(dragged, index)}
          />
        ))}
      </Stack>
      {list.length < maxItems && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          ml={-8}
          style={{ alignSelf: "start" }}
          leftSection={<Icon name="plus" size={14} />}
          aria-label={t.addTo(label)}
          onClick={() => set([...list, newEntry(items)])}
        >
          {t.add}
        </Button>
      )}
    </fieldset>
  )
}

type RowProps = {
  schema: Schema
  entry: unknown
  path: readonly (string | number)[]
  name: string
  isTarget: boolean
  onRemove(): void
  onMove(by: number): void
  onDrag(isOn: boolean): void
  onDrop(): void
}

function Row({ schema, entry, path, name, isTarget, onRemove, onMove, onDrag, onDrop }: RowProps) {
  const t = useTexts(blockTexts)
  const { Field, isReadOnly } = useForm()
  const members = membersOf(schema)
  const inRow = rowMembers(members)
  const [isOpen, setOpen] = useState(isReadOnly || inRow.length === 0)
  const rest = members.filter((member) => !inRow.includes(member))
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
    if (by === 0) return
    event.preventDefault()
    onMove(by)
  }
  const handle = {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move"
      onDrag(true)
    },
    onDragEnd: () => onDrag(false),
    onKeyDown,
  }
  return (
    <li
      className={classes.row}
      data-target={isTarget || undefined}
      onDragOver={(event) => isTarget && event.preventDefault()}
      onDrop={onDrop}
    >
      <div className={classes.rowHead}>
        <button
          type="button"
          className={classes.grip}
          aria-label={`${t.moveUp(name)}, ${t.moveDown(name)}`}
          {...handle}
        >
          <Icon name="grip-vertical" size={14} />
        </button>
        <div className={classes.rowFields} data-count={inRow.length}>
          {inRow.map((member) => (
            <Field
              key={member.name}
              schema={member.schema}
              path={[...path, member.name]}
              value={isRecord(entry) ? entry[member.name] : undefined}
              isRequired={member.isRequired}
              isBare
            />
          ))}
          {inRow.length === 0 && (
            <Text size="sm" truncate>
              {name}
            </Text>
          )}
        </div>
        <Group gap={0} wrap="nowrap">
          {rest.length > 0 && (
            <ActionIcon
              size="md"
              aria-label={t.details(name)}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <Icon name={isOpen ? "chevron-down" : "chevron-right"} size={15} />
            </ActionIcon>
          )}
          <ActionIcon size="md" aria-label={t.remove(name)} onClick={onRemove}>
            <Icon name="x" size={15} />
          </ActionIcon>
        </Group>
      </div>
      {rest.length > 0 && (
        <Collapse expanded={isOpen}>
          <div className={classes.inner}>
            {isOpen && (
              <ObjectField
                schema={{
                  ...schema,
                  properties: Object.fromEntries(rest.map((each) => [each.name, each.schema])),
                }}
                path={path}
                value={entry}
                label=""
                isRequired
                isInRow
                onChange={() => {}}
              />
            )}
          </div>
        </Collapse>
      )}
    </li>
  )
}

/** Short members that stand in one line: all of them when they are few, else the one that names the entry. */
function rowMembers(members: readonly Member[]): Member[] {
  if (members.length <= maxInRow && members.every(isShort)) return [...members]
  const naming = members.find(({ name }) => names.includes(name))
  return naming && isShort(naming) ? [naming] : []
}

function isShort({ schema, name }: Member): boolean {
  const { code, richText } = hintsOf(schema)
  const isLongCode = code !== undefined && name !== "bodyPath"
  const types = typesOf(schema)
  const isSimple = ["string", "number", "integer"].some((type) => types.includes(type))
  return isSimple && !isLongCode && !richText
}

const names = ["content", "title", "text", "name", "key", "item", "path", "role", "type"]

/** How people know an entry. */
function nameOf(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined
  const found = names.map((name) => entry[name]).find((each) => typeof each === "string" && each)
  return found === undefined ? undefined : String(found)
}

/** A new entry, with what the editor makes and what is constant. */
function newEntry({ properties = {}, required = [] }: Schema): unknown {
  const made = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    if (hintsOf(schema).id && name === "id") return [[name, newId()]]
    if (!required.includes(name)) return []
    if (schema.const !== undefined) return [[name, schema.const]]
    if (schema.enum) return [[name, schema.enum[0]]]
    return typesOf(schema).includes("string") ? [[name, ""]] : []
  })
  return Object.fromEntries(made)
}

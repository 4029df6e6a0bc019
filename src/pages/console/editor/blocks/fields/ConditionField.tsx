/** Comparisons that read as sentences, joined by "all" or "any". */

import { ActionIcon, Button, SegmentedControl, Select, Stack, TextInput } from "@mantine/core"
import { Icon } from "../../../shell/Icon.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { type FieldProps, useForm } from "../blockForm.ts"
import { isRecord, membersOf, type Schema, typesOf } from "../blockSchema.ts"
import classes from "../blocks.module.css"
import { blockTexts } from "../blockTexts.ts"
import { newId } from "../newId.ts"
import { InsertVariable } from "./InsertVariable.tsx"

/** An object of comparisons of a variable, a column or an input with a value. */
export function isCondition({ properties }: Schema): boolean {
  return typesOf(properties?.comparisons ?? {}).includes("array")
}

const needsNoValue = /^Is (?:set|empty)$/

export function ConditionField({ schema, path, value, label }: FieldProps) {
  const t = useTexts(blockTexts)
  const { change } = useForm()
  const condition = isRecord(value) ? value : {}
  const comparisons = Array.isArray(condition.comparisons) ? condition.comparisons : []
  const joins = ["logicalOperator", "joiner"].find((name) => schema.properties?.[name])
  const entry = schema.properties?.comparisons?.items ?? {}
  const set = (next: readonly unknown[]) => change([...path, "comparisons"], next)
  return (
    <fieldset className={classes.section}>
      {!transparent.has(label) && <legend className={classes.legend}>{label}</legend>}
      <Stack gap="md">
        {joins && comparisons.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={label}
            data={[
              { value: "AND", label: t.allHold },
              { value: "OR", label: t.anyHolds },
            ]}
            value={condition[joins] === "OR" ? "OR" : "AND"}
            onChange={(next) => change([...path, joins], next)}
          />
        )}
        {comparisons.map((comparison, index) => (
          <Comparison
            key={isRecord(comparison) && typeof comparison.id === "string" ? comparison.id : index}
            schema={entry}
            path={[...path, "comparisons", index]}
            value={comparison}
            name={`${t.is} ${index + 1}`}
            onRemove={() => set(comparisons.toSpliced(index, 1))}
          />
        ))}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          ml={-8}
          style={{ alignSelf: "start" }}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => set([...comparisons, entry.properties?.id ? { id: newId() } : {}])}
        >
          {t.addComparison}
        </Button>
      </Stack>
    </fieldset>
  )
}

/** Titles that say nothing about a condition. */
const transparent: ReadonlySet<string> = new Set(["Content", "Condition"])

type ComparisonProps = Pick<FieldProps, "schema" | "path" | "value"> & {
  name: string
  onRemove(): void
}

function Comparison({ schema, path, value, name, onRemove }: ComparisonProps) {
  const t = useTexts(blockTexts)
  const { change, Field } = useForm()
  const comparison = isRecord(value) ? value : {}
  const members = membersOf(schema)
  const operator = members.find((member) => /operator$/i.test(member.name))
  const compared = members.find((member) => member !== operator && member.name !== "value")
  const chosen = operator && (comparison[operator.name] ?? operator.schema.default)
  const text = typeof comparison.value === "string" ? comparison.value : ""
  return (
    <fieldset className={classes.comparison} aria-label={name}>
      <div className={classes.rowHead}>
        {compared && (
          <div className={classes.rowFields}>
            <Field
              schema={compared.schema}
              path={[...path, compared.name]}
              value={comparison[compared.name]}
              isBare
            />
          </div>
        )}
        <ActionIcon aria-label={t.remove(name)} onClick={onRemove}>
          <Icon name="x" size={15} />
        </ActionIcon>
      </div>
      {operator && (
        <Select
          aria-label={t.is}
          data={(operator.schema.enum ?? []).map(String)}
          value={chosen === undefined ? null : String(chosen)}
          onChange={(next) => change([...path, operator.name], next ?? undefined)}
        />
      )}
      {!needsNoValue.test(String(chosen)) && (
        <TextInput
          aria-label={t.value}
          placeholder={t.value}
          value={text}
          onChange={(event) => change([...path, "value"], event.currentTarget.value)}
          rightSection={
            <InsertVariable onPick={(token) => change([...path, "value"], text + token)} />
          }
        />
      )}
    </fieldset>
  )
}

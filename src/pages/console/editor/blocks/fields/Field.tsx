/** A field for a member of an element, made from its JSON Schema. */
import { MultiSelect, NumberInput, Skeleton, Switch, TagsInput } from "@mantine/core"
import { Suspense } from "react"
import { lazily } from "../../../shell/lazily.ts"
import { type FieldProps, type MemberProps, useForm } from "../blockForm.ts"
import { helpOf, hintsOf, type Schema, shapesOf, typesOf } from "../blockSchema.ts"
import { RichTextField } from "../RichTextField.tsx"
import { ChoiceField } from "./ChoiceField.tsx"
import { ConditionField, isCondition } from "./ConditionField.tsx"
import { CredentialPicker } from "./CredentialPicker.tsx"
import { FieldFrame } from "./FieldFrame.tsx"
import { ListField } from "./ListField.tsx"
import { ObjectField } from "./ObjectField.tsx"
import { ReferencePicker } from "./ReferencePicker.tsx"
import { TextField } from "./TextField.tsx"
import { UnionField } from "./UnionField.tsx"
import { VariablePicker } from "./VariablePicker.tsx"

const CodeField = lazily(() => import("./CodeField.tsx").then((it) => it.CodeField))

export function Field({ schema, path, value, isRequired = false, isBare = false }: MemberProps) {
  const { change, flush } = useForm()
  const props: FieldProps = {
    schema,
    path,
    value,
    label: schema.title ?? String(path.at(-1)),
    isRequired,
    isBare,
    onChange: (next) => change(path, next),
  }
  const kind = kindOf(schema)
  const field = fieldOf(kind, props, flush)
  if (isBare || groups.has(kind)) return field
  return <FieldFrame schema={schema}>{field}</FieldFrame>
}

/** What stands for several fields has no help of its own. */
const groups: ReadonlySet<Kind> = new Set(["object", "list", "condition"])

type Kind =
  | (
      | "richText"
      | "variable"
      | "credentials"
      | "reference"
      | "code"
      | "json"
      | "condition"
      | "union"
    )
  | ("choice" | "text" | "flag" | "number" | "choices" | "texts" | "numbers" | "list" | "object")

/** What kind of field a schema gets. */
function kindOf(schema: Schema): Kind {
  const hints = hintsOf(schema)
  const types = typesOf(schema)
  if (hints.richText) return "richText"
  if (hints.variable) return "variable"
  if (hints.credentials) return "credentials"
  if (hints.refersTo) return "reference"
  if (hints.code) return "code"
  if (isCondition(schema)) return "condition"
  if (shapesOf(schema).length > 0) return "union"
  if (schema.enum || (schema.examples && types.includes("string"))) return "choice"
  if (types.includes("string")) return "text"
  if (types.includes("boolean")) return "flag"
  if (types.includes("number") || types.includes("integer")) return "number"
  if (types.includes("array")) return listKindOf(schema)
  return schema.properties ? "object" : "json"
}

function listKindOf({ items = {} }: Schema): Kind {
  if (items.enum) return "choices"
  if (typesOf(items).includes("string")) return "texts"
  if (typesOf(items).includes("number")) return "numbers"
  return "list"
}

function fieldOf(kind: Kind, props: FieldProps, flush: () => void) {
  const { schema, value, label, onChange, isRequired, isBare } = props
  const described = { "aria-description": helpOf(schema) }
  const named = isBare ? { "aria-label": schema.title } : { label, ...described }
  switch (kind) {
    case "richText":
      return <RichTextField label={label} value={value} onChange={onChange} flush={flush} />
    case "variable":
      return <VariablePicker {...props} />
    case "credentials":
      return <CredentialPicker {...props} />
    case "reference":
      return <ReferencePicker {...props} />
    case "code":
    case "json":
      return (
        <Suspense fallback={<Skeleton height={120} />}>
          <CodeField {...props} />
        </Suspense>
      )
    case "condition":
      return <ConditionField {...props} />
    case "union":
      return <UnionField {...props} />
    case "choice":
      return <ChoiceField {...props} />
    case "text":
      return <TextField {...props} />
    case "flag":
      return (
        <Switch
          {...named}
          labelPosition="left"
          checked={value === undefined ? schema.default === true : value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
          styles={{ body: { justifyContent: "space-between" }, labelWrapper: { flex: 1 } }}
        />
      )
    case "number":
      return (
        <NumberInput
          {...named}
          value={typeof value === "number" ? value : ""}
          placeholder={schema.default === undefined ? undefined : String(schema.default)}
          {...(schema.minimum !== undefined && { min: schema.minimum })}
          {...(schema.maximum !== undefined && { max: schema.maximum })}
          onChange={(next) => onChange(typeof next === "number" ? next : undefined)}
        />
      )
    case "choices":
      return (
        <MultiSelect
          {...named}
          data={(schema.items?.enum ?? []).map(String)}
          value={textsOf(value)}
          onChange={(next) => onChange(listOrNothing(next, isRequired))}
        />
      )
    case "texts":
    case "numbers":
      return (
        <TagsInput
          {...named}
          value={textsOf(value)}
          onChange={(next) => {
            const list = kind === "texts" ? next : next.map(Number).filter(Number.isFinite)
            onChange(listOrNothing(list, isRequired))
          }}
        />
      )
    case "list":
      return <ListField {...props} />
    case "object":
      return <ObjectField {...props} />
  }
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

const listOrNothing = (list: readonly unknown[], isRequired: boolean) =>
  list.length === 0 && !isRequired ? undefined : list

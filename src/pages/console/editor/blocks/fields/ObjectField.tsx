/** The members of an object: those that are used first, the others under "More". */

import { Button, Collapse, Stack, Switch } from "@mantine/core"
import { useState } from "react"
import { Icon } from "../../../shell/Icon.tsx"
import { useTexts } from "../../../shell/texts.ts"
import { type FieldProps, useForm } from "../blockForm.ts"
import { applies, helpOf, isRecord, type Member, membersOf, typesOf } from "../blockSchema.ts"
import classes from "../blocks.module.css"
import { blockTexts } from "../blockTexts.ts"

const maxWithoutMore = 5

/** What authors look for first, in whichever block it is. */
const common =
  /^(?:content|items|options|webhook|action|type|task|credentialsId|model|messages|query|url|method|amount|currency|recipients|to|subject|body|spreadsheetId|sheetId|filter|variableId|expressionToEvaluate|labels|botId|groupId|blockId|richText|min|max|isMultipleChoice|secondsToWaitFor|aPercent|general|metadata|responseMapping|responseVariableMapping|text|input|prompt|data|link|name|event|eventName|userId|command|afterSeconds)$/

export function ObjectField({ isInRow = false, ...props }: FieldProps & { isInRow?: boolean }) {
  const { schema, path, value, label } = props
  const { change } = useForm()
  const isWithSwitch = typesOf(schema.properties?.isEnabled ?? {}).includes("boolean")
  const isOn =
    isRecord(value) && (value.isEnabled ?? schema.properties?.isEnabled?.default) === true
  const isTitled =
    !isInRow && path.length > 0 && label !== "" && !transparent.has(String(path.at(-1)))
  const members = (
    <Members schema={schema} path={path} value={value} hides={isWithSwitch ? "isEnabled" : ""} />
  )
  if (!isTitled) return members
  if (isWithSwitch)
    return (
      <div className={isOn ? classes.section : undefined}>
        <Switch
          label={label}
          aria-description={helpOf(schema)}
          labelPosition="left"
          checked={isOn}
          onChange={(event) => change([...path, "isEnabled"], event.currentTarget.checked)}
          styles={{ body: { justifyContent: "space-between" }, labelWrapper: { flex: 1 } }}
        />
        {isOn && <div className={classes.inner}>{members}</div>}
      </div>
    )
  return (
    <fieldset className={classes.section}>
      <legend className={classes.legend}>{label}</legend>
      {members}
    </fieldset>
  )
}

/** Objects that only hold what a form is about. */
const transparent: ReadonlySet<string> = new Set(["options", "content", "webhook"])

type MembersProps = Pick<FieldProps, "schema" | "path" | "value"> & { hides: string }

function Members({ schema, path, value, hides }: MembersProps) {
  const { Field, isReadOnly } = useForm()
  const t = useTexts(blockTexts)
  // Buttons of a form that can only be read are disabled.
  const [isOpen, setOpen] = useState(isReadOnly)
  const all = membersOf(schema).filter(
    (member) => member.name !== hides && applies(member, schema, value),
  )
  const valueIn = ({ name }: Member) => (isRecord(value) ? value[name] : undefined)
  const isFirst = (member: Member) =>
    all.length <= maxWithoutMore || common.test(member.name) || valueIn(member) !== undefined
  // What is set later stays where it was while the form is open.
  const [firstNames] = useState(() => new Set(all.filter(isFirst).map(({ name }) => name)))
  const isShownFirst = ({ name }: Member) =>
    firstNames.has(name) || all.length <= maxWithoutMore || common.test(name)
  const first = all.filter(isShownFirst).toSorted(byImportance)
  const more = all.filter((member) => !isShownFirst(member))
  const field = (member: Member) => (
    <Field
      key={member.name}
      schema={member.schema}
      path={[...path, member.name]}
      value={valueIn(member)}
      isRequired={member.isRequired}
    />
  )
  return (
    <Stack gap="md">
      {first.map(field)}
      {more.length > 0 && (
        <div>
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            ml={-8}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            rightSection={<Icon name={isOpen ? "chevron-down" : "chevron-right"} size={14} />}
          >
            {t.more}
          </Button>
          <Collapse expanded={isOpen}>
            <Stack gap="md" pt="md">
              {isOpen && more.map(field)}
            </Stack>
          </Collapse>
        </div>
      )}
    </Stack>
  )
}

/** What is asked stands before what becomes of the answer. */
function byImportance(one: Member, other: Member): number {
  return rank(one) - rank(other)
}

function rank({ name }: Member): number {
  if (/^(?:content|items|webhook)$/.test(name)) return 0
  if (/^(?:action|task|type|url)$/.test(name)) return 1
  if (name === "method") return 1
  if (/credentialsId/i.test(name)) return 2
  return 3
}

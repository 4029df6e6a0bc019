/** What happens behind the chat: its variables, which can be set, and its calls to the outside. */
import { Button, Popover, Select, Stack, Tabs, Text, Textarea, UnstyledButton } from "@mantine/core"
import type { PreviewState } from "@parley/client"
import { type FormEvent, useState } from "react"
import { useTexts } from "../../shell/texts.ts"
import { useWriting } from "../../shell/writing.ts"
import { useEditing } from "../editing.ts"
import classes from "./TryOut.module.css"
import { tryOutTexts } from "./tryOutTexts.ts"

type Variable = PreviewState["variables"][number]

type Given = { state: PreviewState; onSet(name: string, value: unknown): void }

export function Insight({ state, onSet }: Given) {
  const t = useTexts(tryOutTexts)
  const calls = callsOf(state)
  return (
    <Tabs defaultValue="variables" className={classes.insight}>
      <Tabs.List>
        <Tabs.Tab value="variables">{t.variables}</Tabs.Tab>
        <Tabs.Tab value="calls">
          {calls.length === 0 ? t.calls : `${t.calls} (${calls.length})`}
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="variables" className={classes.list}>
        <Variables variables={state.variables} onSet={onSet} />
      </Tabs.Panel>
      <Tabs.Panel value="calls" className={classes.list}>
        <Calls calls={calls} />
      </Tabs.Panel>
    </Tabs>
  )
}

function Variables({
  variables,
  onSet,
}: { variables: readonly Variable[] } & Pick<Given, "onSet">) {
  const t = useTexts(tryOutTexts)
  const { bot } = useEditing()
  const [other, setOther] = useState<string | null>(null)
  const own = variables.filter(({ botId }) => !botId)
  const names = bot.variables.map(({ name }) => name)
  return (
    <Stack gap={2}>
      {own.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.noVariables}
        </Text>
      )}
      {own.map((variable) => (
        <VariableRow key={variable.id} variable={variable} onSet={onSet} />
      ))}
      {names.length > 0 && (
        <Select
          mt="xs"
          size="xs"
          aria-label={t.choose}
          placeholder={t.choose}
          data={[...new Set(names)].filter((name) => !own.some((each) => each.name === name))}
          value={other}
          onChange={setOther}
          searchable
        />
      )}
      {other !== null && (
        <SetVariable
          name={other}
          value=""
          onSet={(value) => {
            setOther(null)
            onSet(other, value)
          }}
        />
      )}
    </Stack>
  )
}

function VariableRow({
  variable: { name, value },
  onSet,
}: { variable: Variable } & Pick<Given, "onSet">) {
  const t = useTexts(tryOutTexts)
  const [isOpen, setOpen] = useState(false)
  const text = value === undefined ? t.hidden : textOf(value)
  return (
    <Popover opened={isOpen} onChange={setOpen} width={260} trapFocus withinPortal>
      <Popover.Target>
        <UnstyledButton
          className={classes.variable}
          aria-label={t.set(name)}
          aria-description={text}
          onClick={() => setOpen(true)}
        >
          <Text size="sm" c="dimmed" truncate>
            {name}
          </Text>
          <Text size="sm" truncate>
            {text}
          </Text>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <SetVariable
          name={name}
          value={value === undefined ? "" : textOf(value)}
          onSet={(next) => {
            setOpen(false)
            onSet(name, next)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

type SetProps = { name: string; value: string; onSet(value: unknown): void }

function SetVariable({ name, value, onSet }: SetProps) {
  const t = useTexts(tryOutTexts)
  const [text, setText] = useState(value)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSet(readValue(text))
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Textarea
          label={t.set(name)}
          description={t.help}
          autosize
          maxRows={8}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" size="compact-sm">
          {t.ok}
        </Button>
      </Stack>
    </form>
  )
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value)

/** A list is written as JSON; all else is a text. */
function readValue(text: string): unknown {
  if (!text.trim().startsWith("[")) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Call = NonNullable<ReturnType<typeof callsOf>>[number]

function callsOf({ turns }: PreviewState) {
  return turns.flatMap(({ trace }) =>
    trace.blocks.flatMap(({ blockId, calls = [] }, index) =>
      calls.map((call, at) => ({ ...call, blockId, key: `${trace.turn} ${index} ${at}` })),
    ),
  )
}

function Calls({ calls }: { calls: readonly Call[] }) {
  const t = useTexts(tryOutTexts)
  const writing = useWriting()
  const { bot, entryOf } = useEditing()
  if (calls.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.noCalls}
      </Text>
    )
  const types = new Map(
    bot.groups.flatMap(({ blocks }) => blocks.map(({ id, type }) => [id, type])),
  )
  return (
    <Stack gap={2} component="ol" className={classes.calls}>
      {calls.map(({ key, blockId, kind, status, httpStatus, ms, model }) => (
        <li key={key} className={classes.call} data-failed={status === "failed" || undefined}>
          <span>{entryOf(types.get(blockId) ?? "")?.label ?? kind}</span>
          <span>
            {model} {httpStatus ?? t[status]}
          </span>
          <span>{`${writing.number(ms)} ms`}</span>
        </li>
      ))}
    </Stack>
  )
}

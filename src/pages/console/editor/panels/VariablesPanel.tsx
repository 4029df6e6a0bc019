/** The variables of a bot: their names, first values, and whether results keep them. */
import {
  ActionIcon,
  Alert,
  Anchor,
  Button,
  Group,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from "@mantine/core"
import { type FormEvent, useState } from "react"
import { Icon } from "../../shell/Icon.tsx"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { newId } from "../blocks/newId.ts"
import { type Bot, useEditing, useSelected } from "../editing.ts"
import { PanelHead } from "./PanelHead.tsx"
import classes from "./SidePanel.module.css"
import { renaming, usesOf } from "./usesOf.ts"

const texts = defineTexts({
  en: {
    help: "What chats keep: answers, results of formulas, parts of responses.",
    add: "Add",
    newName: "Name of a new variable",
    name: (name: string) => `Name of ${name}`,
    value: "First value",
    session: (name: string) => `${name} is for the chat alone`,
    sessionHelp: "For the chat alone: results never keep it",
    remove: (name: string) => `Delete ${name}`,
    taken: "Another variable has this name",
    unused: "No block uses it.",
    used: (count: number) =>
      count === 1
        ? "One block uses it, and finds nothing then:"
        : `${count} blocks use it, and find nothing then:`,
    more: (count: number) => `and ${count} more`,
    confirm: "Delete",
    keep: "Keep",
    none: "No variables yet. Add one here, or in the block that fills it.",
  },
  de: {
    help: "Was Chats sich merken: Antworten, Ergebnisse von Formeln, Teile von Antworten anderer Dienste.",
    add: "Anlegen",
    newName: "Name einer neuen Variable",
    name: (name: string) => `Name von ${name}`,
    value: "Erster Wert",
    session: (name: string) => `${name} gilt nur im Chat`,
    sessionHelp: "Nur für den Chat: Ergebnisse behalten sie nie",
    remove: (name: string) => `${name} löschen`,
    taken: "Eine andere Variable heißt so",
    unused: "Kein Block benutzt sie.",
    used: (count: number) =>
      count === 1
        ? "Ein Block benutzt sie und findet dann nichts:"
        : `${count} Blöcke benutzen sie und finden dann nichts:`,
    more: (count: number) => `und ${count} weitere`,
    confirm: "Löschen",
    keep: "Behalten",
    none: "Noch keine Variablen. Leg hier eine an oder in dem Block, der sie füllt.",
  },
})

type Variable = Bot["variables"][number]

const maxUses = 5

export function VariablesPanel() {
  const t = useTexts(texts)
  const { bot, edit, mayEdit } = useEditing()
  const [name, setName] = useState("")
  const wanted = name.trim()
  const isTaken = bot.variables.some((each) => each.name === wanted)
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (wanted === "" || isTaken) return
    edit([{ type: "variable.put", variable: { id: newId(), name: wanted } }])
    setName("")
  }
  return (
    <div className={classes.content}>
      <PanelHead name="variables" help={t.help} />
      {mayEdit && (
        <form onSubmit={add}>
          <Group gap="xs" align="start" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={t.newName}
              placeholder={t.newName}
              value={name}
              error={isTaken && t.taken}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" disabled={wanted === "" || isTaken}>
              {t.add}
            </Button>
          </Group>
        </form>
      )}
      {bot.variables.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      <Stack gap={6} component="ul" className={classes.list}>
        {bot.variables.map((variable) => (
          <VariableRow key={variable.id} variable={variable} />
        ))}
      </Stack>
    </div>
  )
}

function VariableRow({ variable }: { variable: Variable }) {
  const t = useTexts(texts)
  const { bot, edit, mayEdit } = useEditing()
  const [typed, setTyped] = useState<string>()
  const [isLeaving, setLeaving] = useState(false)
  const { id, name, isSessionVariable = false } = variable
  const wanted = typed?.trim() ?? name
  const isTaken = bot.variables.some((each) => each.id !== id && each.name === wanted)
  const rename = () => {
    setTyped(undefined)
    if (wanted !== "" && wanted !== name && !isTaken) edit(renaming(bot, variable, wanted))
  }
  const put = (part: Partial<Variable>) =>
    edit([{ type: "variable.put", variable: { ...variable, ...part } }])
  return (
    <li>
      <Group gap={4} wrap="nowrap" align="start">
        <TextInput
          flex={1}
          readOnly={!mayEdit}
          aria-label={t.name(name)}
          value={typed ?? name}
          error={isTaken && t.taken}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={rename}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur()
          }}
        />
        <Tooltip label={t.sessionHelp}>
          <ActionIcon
            size={36}
            disabled={!mayEdit}
            aria-label={t.session(name)}
            aria-pressed={isSessionVariable}
            color={isSessionVariable ? "accent" : "gray"}
            onClick={() => put({ isSessionVariable: !isSessionVariable })}
          >
            <Icon name={isSessionVariable ? "eye-off" : "eye"} size={16} />
          </ActionIcon>
        </Tooltip>
        <ActionIcon
          size={36}
          disabled={!mayEdit}
          aria-label={t.remove(name)}
          onClick={() => setLeaving(true)}
        >
          <Icon name="trash-2" size={16} />
        </ActionIcon>
      </Group>
      {isLeaving && <Leaving variable={variable} onClose={() => setLeaving(false)} />}
    </li>
  )
}

/** What goes with a variable, before it is deleted. */
function Leaving({ variable, onClose }: { variable: Variable; onClose(): void }) {
  const t = useTexts(texts)
  const { bot, edit, entryOf } = useEditing()
  const { select, ...selected } = useSelected()
  const uses = usesOf(bot, variable)
  return (
    <Alert color="red" mt={4} mb="xs" role="alert">
      <Stack gap="xs">
        <Text size="sm">{uses.length === 0 ? t.unused : t.used(uses.length)}</Text>
        {uses.slice(0, maxUses).map(({ block, group }) => (
          <Anchor
            key={block.id}
            component="button"
            type="button"
            size="sm"
            ta="start"
            onClick={() => select({ ...selected, block: block.id })}
          >
            {`${group} › ${entryOf(block.type)?.label ?? block.type}`}
          </Anchor>
        ))}
        {uses.length > maxUses && <Text size="sm">{t.more(uses.length - maxUses)}</Text>}
        <Group gap="xs">
          <Button
            size="compact-sm"
            color="red"
            onClick={() => edit([{ type: "variable.remove", variableId: variable.id }])}
          >
            {t.confirm}
          </Button>
          <Button size="compact-sm" variant="default" onClick={onClose}>
            {t.keep}
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}

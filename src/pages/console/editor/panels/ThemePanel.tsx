/** The look of chats: templates to begin with, and every part of it, with the chat beside it. */
import {
  ActionIcon,
  Button,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { editsBetween } from "@parley/client/edit"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useEffect, useState } from "react"
import { api, type Outputs } from "../../shell/api.ts"
import { Icon } from "../../shell/Icon.tsx"
import { reportProblem } from "../../shell/notify.ts"
import { ThemeSwatch } from "../../shell/ThemeSwatch.tsx"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { useIsTeam } from "../../shell/useRole.ts"
import { useEditing, useSelected } from "../editing.ts"
import { PanelHead } from "./PanelHead.tsx"
import { PartPanel } from "./PartPanel.tsx"
import classes from "./SidePanel.module.css"

const texts = defineTexts({
  en: {
    help: "How the chat looks. The chat beside it shows every change at once.",
    templates: "Templates",
    own: "Your templates",
    apply: (name: string) => `Apply ${name}`,
    save: "Save as template",
    name: "Name of the template",
    confirm: "Save",
    remove: (name: string) => `Delete ${name}`,
    really: (name: string) => `Delete the template ${name}? Bots that have its look keep it.`,
    delete: "Delete",
  },
  de: {
    help: "Wie der Chat aussieht. Der Chat daneben zeigt jede Änderung sofort.",
    templates: "Vorlagen",
    own: "Deine Vorlagen",
    apply: (name: string) => `${name} anwenden`,
    save: "Als Vorlage speichern",
    name: "Name der Vorlage",
    confirm: "Speichern",
    remove: (name: string) => `${name} löschen`,
    really: (name: string) => `Die Vorlage ${name} löschen? Bots mit diesem Aussehen behalten es.`,
    delete: "Löschen",
  },
})

type Template = Outputs["themeTemplate"]["list"]["themeTemplates"][number]

export function ThemePanel() {
  const t = useTexts(texts)
  const { bot } = useEditing()
  const { select, try: isTrying, ...selected } = useSelected()
  const isWide = useMediaQuery("(min-width: 75em)")
  const { workspaceId } = bot
  const hasTemplates = useIsTeam(workspaceId)
  const { data } = useQuery({
    ...api.themeTemplate.list.queryOptions({ workspaceId }),
    enabled: hasTemplates,
  })
  const own = data?.themeTemplates.filter(({ isBuiltIn }) => !isBuiltIn) ?? []
  const builtIn = data?.themeTemplates.filter(({ isBuiltIn }) => isBuiltIn) ?? []
  useEffect(() => {
    if (isWide && !isTrying) select({ ...selected, try: true })
  }, [isWide])
  return (
    <div className={classes.content}>
      <PanelHead name="theme" help={t.help} />
      {own.length > 0 && <Templates title={t.own} templates={own} />}
      {builtIn.length > 0 && <Templates title={t.templates} templates={builtIn} />}
      {hasTemplates && <SaveTemplate />}
      <PartPanel part="theme" />
    </div>
  )
}

function Templates({ title, templates }: { title: string; templates: readonly Template[] }) {
  return (
    <div>
      <Text size="sm" fw={600} mb="xs">
        {title}
      </Text>
      <ul className={classes.templates}>
        {templates.map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
      </ul>
    </div>
  )
}

function TemplateCard({ template }: { template: Template }) {
  const t = useTexts(texts)
  const { bot, edit } = useEditing()
  const { id, name, theme, isBuiltIn } = template
  const chosen = bot.selectedThemeTemplateId === id
  const apply = () => edit(editsBetween(bot, { ...bot, theme, selectedThemeTemplateId: id }))
  return (
    <li>
      <UnstyledButton
        className={classes.template}
        aria-label={t.apply(name)}
        aria-pressed={chosen}
        onClick={apply}
      >
        <ThemeSwatch theme={theme} />
        <Text size="xs" truncate>
          {name}
        </Text>
      </UnstyledButton>
      {!isBuiltIn && <RemoveTemplate template={template} />}
    </li>
  )
}

function RemoveTemplate({ template: { id, name } }: { template: Template }) {
  const t = useTexts(texts)
  const { workspaceId } = useEditing().bot
  const queries = useQueryClient()
  const remove = useMutation(
    api.themeTemplate.delete.mutationOptions({
      onSuccess: () => queries.invalidateQueries({ queryKey: api.themeTemplate.list.queryKey() }),
      onError: reportProblem,
    }),
  )
  return (
    <Popover width={240} trapFocus>
      <Popover.Target>
        <ActionIcon className={classes.corner} size={24} aria-label={t.remove(name)}>
          <Icon name="x" size={14} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text size="sm">{t.really(name)}</Text>
          <Button
            size="compact-sm"
            color="red"
            loading={remove.isPending}
            onClick={() => remove.mutate({ workspaceId, templateId: id })}
          >
            {t.delete}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

function SaveTemplate() {
  const t = useTexts(texts)
  const { bot } = useEditing()
  const queries = useQueryClient()
  const [name, setName] = useState<string>()
  const create = useMutation(
    api.themeTemplate.create.mutationOptions({
      onSuccess: async () => {
        setName(undefined)
        await queries.invalidateQueries({ queryKey: api.themeTemplate.list.queryKey() })
      },
      onError: reportProblem,
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { workspaceId, theme } = bot
    if (name?.trim()) create.mutate({ workspaceId, name, theme })
  }
  if (name === undefined)
    return (
      <Button
        variant="default"
        leftSection={<Icon name="save" size={16} />}
        onClick={() => setName("")}
      >
        {t.save}
      </Button>
    )
  return (
    <form onSubmit={submit}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          aria-label={t.name}
          placeholder={t.name}
          value={name}
          autoFocus
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit" loading={create.isPending} disabled={name.trim() === ""}>
          {t.confirm}
        </Button>
      </Group>
    </form>
  )
}

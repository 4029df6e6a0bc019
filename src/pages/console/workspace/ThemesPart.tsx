/** The looks that the bots of a workspace can be given, besides those that are built in. */
import { ActionIcon, Button, Group, Menu, Modal, ScrollArea, Text } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { NameForm } from "../bots/dialogs/NameForm.tsx"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { closeTexts } from "../shell/closeTexts.ts"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { ThemeSwatch } from "../shell/ThemeSwatch.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./ThemesPart.module.css"
import type { PartProps } from "./workspaceSearch.ts"

type Template = Outputs["themeTemplate"]["list"]["themeTemplates"][number]

const texts = defineTexts({
  en: {
    title: "Theme templates",
    about: "Looks that every bot of the workspace can be given, besides those that are built in.",
    none: "There are none yet. Open a bot, then its theme, and press “Save as template”.",
    noBots: "There are no bots yet.",
    use: "Use in a bot",
    rename: "Rename",
    save: "Save",
    changed: (day: string) => `Changed ${day}`,
    remove: "Delete",
    removing: (name: string) => `${name} can be applied no more. Bots that have its look keep it.`,
  },
  de: {
    title: "Vorlagen für das Aussehen",
    about: "Jeder Bot des Arbeitsbereichs kann so aussehen. Weitere Vorlagen sind eingebaut.",
    none: "Es gibt noch keine. Öffne einen Bot, dann sein Aussehen, und drücke „Als Vorlage speichern“.",
    noBots: "Es gibt noch keine Bots.",
    use: "In einem Bot verwenden",
    rename: "Umbenennen",
    save: "Speichern",
    changed: (day: string) => `Geändert ${day}`,
    remove: "Löschen",
    removing: (name: string) =>
      `${name} lässt sich dann nicht mehr anwenden. Bots mit diesem Aussehen behalten es.`,
  },
})

export function ThemesPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const { close } = useTexts(closeTexts)
  const queries = useQueryClient()
  const [naming, setNaming] = useState<Template>()
  const [leaving, setLeaving] = useState<Template>()
  const list = useQuery(api.themeTemplate.list.queryOptions({ workspaceId, isBuiltIn: false }))
  const renew = () => queries.invalidateQueries(api.themeTemplate.list.pathFilter())
  const rename = useMutation({
    ...api.themeTemplate.update.mutationOptions(),
    onSuccess: async () => {
      setNaming(undefined)
      await renew()
    },
  })
  const remove = useMutation({
    ...api.themeTemplate.delete.mutationOptions(),
    onSuccess: async () => {
      setLeaving(undefined)
      await renew()
    },
    onError: reportProblem,
  })
  const templates = list.data?.themeTemplates ?? []
  const startNaming = (template: Template) => {
    rename.reset()
    setNaming(template)
  }
  return (
    <Card title={t.title} about={t.about}>
      {list.error && <Problem error={list.error} />}
      {list.isSuccess && templates.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {templates.length > 0 && (
        <ul className={classes.templates}>
          {templates.map((template) => (
            <TemplateItem
              key={template.id}
              template={template}
              workspaceId={workspaceId}
              onRename={() => startNaming(template)}
              onRemove={() => setLeaving(template)}
            />
          ))}
        </ul>
      )}
      <Modal
        opened={naming !== undefined}
        onClose={() => setNaming(undefined)}
        title={t.rename}
        closeButtonProps={{ "aria-label": close }}
      >
        {naming && (
          <NameForm
            initial={naming.name}
            action={t.save}
            close={() => setNaming(undefined)}
            isPending={rename.isPending}
            error={rename.error}
            onName={(name) => rename.mutate({ workspaceId, templateId: naming.id, name })}
          />
        )}
      </Modal>
      <Confirm
        isOpen={leaving !== undefined}
        title={t.remove}
        text={t.removing(leaving?.name ?? "")}
        action={t.remove}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ workspaceId, templateId: leaving.id })}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}

type ItemProps = PartProps & { template: Template; onRename(): void; onRemove(): void }

function TemplateItem({ template, workspaceId, onRename, onRemove }: ItemProps) {
  const t = useTexts(texts)
  const write = useWriting()
  const { name, theme, updatedAt } = template
  return (
    <li className={classes.template}>
      <ThemeSwatch theme={theme} />
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} truncate title={name}>
          {name}
        </Text>
        <Group gap={0} wrap="nowrap">
          <ActionIcon aria-label={`${t.rename}: ${name}`} onClick={onRename}>
            <Icon name="pencil" size={16} />
          </ActionIcon>
          <ActionIcon aria-label={`${t.remove}: ${name}`} onClick={onRemove}>
            <Icon name="trash-2" size={16} />
          </ActionIcon>
        </Group>
      </Group>
      {updatedAt !== undefined && (
        <Text size="xs" c="dimmed">
          {t.changed(write.day(updatedAt))}
        </Text>
      )}
      <UseMenu name={name} workspaceId={workspaceId} />
    </li>
  )
}

/** Leads to the theme of a bot, where templates are applied. */
function UseMenu({ name, workspaceId }: PartProps & { name: string }) {
  const t = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const { data } = useQuery({
    ...api.bot.list.queryOptions({ workspaceId, sort: "updatedAt", limit: maxListed }),
    enabled: isOpen,
  })
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
      <Menu.Target>
        <Button variant="default" size="xs" aria-label={`${t.use}: ${name}`}>
          {t.use}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data?.bots.length === 0 && <Menu.Label>{t.noBots}</Menu.Label>}
        <ScrollArea.Autosize mah={320} maw={280}>
          {data?.bots.map((bot) => (
            <Menu.Item
              key={bot.id}
              renderRoot={(props) => (
                <Link
                  to="/bots/$botId"
                  params={{ botId: bot.id }}
                  search={{ panel: "theme" }}
                  {...props}
                />
              )}
            >
              {bot.name}
            </Menu.Item>
          ))}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Those that were changed last: others are opened from the list of bots. */
const maxListed = 50

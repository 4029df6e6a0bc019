/** What is known of a conversation: who is in charge, where it is, and its variables, which can be set. */
import { Button, Group, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { useState } from "react"
import { valueText } from "../results/tableColumns.ts"
import { api, type Outputs } from "../shell/api.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useRole } from "../shell/useRole.ts"
import { useWriting } from "../shell/writing.ts"
import type { Change } from "./change.ts"

const texts = defineTexts({
  en: {
    assignee: "In charge",
    unassigned: "Not assigned",
    me: (name: string) => `${name} (you)`,
    started: "Started",
    version: "Version",
    waits: "Waits at",
    resumes: "Bot resumes",
    expires: "Expires",
    variables: "Variables",
    none: "This bot has no variables.",
    hidden: "Session variable: its value is never shown",
    save: "Save",
    cancel: "Cancel",
  },
  de: {
    assignee: "Zuständig",
    unassigned: "Nicht zugewiesen",
    me: (name: string) => `${name} (du)`,
    started: "Begonnen",
    version: "Version",
    waits: "Wartet bei",
    resumes: "Bot fährt fort",
    expires: "Läuft ab",
    variables: "Variablen",
    none: "Dieser Bot hat keine Variablen.",
    hidden: "Sitzungsvariable: Ihr Wert wird nie gezeigt",
    save: "Speichern",
    cancel: "Abbrechen",
  },
})

type Conversation = Outputs["conversation"]["getSession"]["conversation"]

type Props = {
  conversation: Conversation
  me: Outputs["user"]["getMe"]
  mayChange: boolean
  change(changes: Change): Promise<unknown>
}

export function ConversationSide({ conversation, me, mayChange, change }: Props) {
  const t = useTexts(texts)
  const writing = useWriting()
  const { botId } = useParams({ from: "/bots/$botId" })
  const { data: read } = useQuery(api.bot.get.queryOptions({ botId }))
  const workspaceId = read?.bot.workspaceId ?? ""
  const { data: team } = useQuery({
    ...api.workspace.listMembers.queryOptions({ workspaceId }),
    enabled: useRole(workspaceId) !== undefined,
  })
  const { assigneeId, startedAt, versionNumber, waitsFor, resumesAt, expiresAt } = conversation
  const people = new Map<string, string>([
    [me.id, t.me(me.name ?? me.email)],
    ...(assigneeId === undefined || assigneeId === me.id
      ? []
      : [[assigneeId, assigneeId] as const]),
    ...(team?.members ?? [])
      .filter(({ userId }) => userId !== me.id)
      .map(({ userId, user }) => [userId, user.name ?? user.email ?? userId] as const),
  ])
  const facts: [string, string | undefined][] = [
    [t.started, writing.moment(startedAt)],
    [t.version, versionNumber?.toString()],
    [t.waits, waitsFor?.groupTitle],
    [t.resumes, resumesAt && writing.ago(resumesAt)],
    [t.expires, expiresAt && writing.ago(expiresAt)],
  ]
  return (
    <Stack gap="md">
      <NativeSelect
        size="xs"
        label={t.assignee}
        disabled={!mayChange}
        value={assigneeId ?? ""}
        data={[
          { value: "", label: t.unassigned },
          ...[...people].map(([value, label]) => ({ value, label })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          void change({ assigneeId: value === "" ? null : value }).catch(() => undefined)
        }
      />
      <Stack gap={4}>
        {facts.map(
          ([name, value]) =>
            value !== undefined && (
              <Group key={name} justify="space-between" gap="xs" wrap="nowrap">
                <Text size="xs" c="dimmed">
                  {name}
                </Text>
                <Text size="xs" ta="end" truncate dir="auto">
                  {value}
                </Text>
              </Group>
            ),
        )}
      </Stack>
      <Title order={3} size="h6">
        {t.variables}
      </Title>
      {conversation.variables.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      <Stack gap="xs">
        {conversation.variables.map(({ name, value }) => (
          <VariableField
            key={name}
            name={name}
            value={value === undefined ? undefined : valueText(value)}
            mayChange={mayChange}
            onSave={(text) => change({ variables: { [name]: text } })}
          />
        ))}
      </Stack>
    </Stack>
  )
}

type FieldProps = {
  name: string
  /** Absent: it is never shown. */
  value: string | undefined
  mayChange: boolean
  onSave(value: string): Promise<unknown>
}

function VariableField({ name, value, mayChange, onSave }: FieldProps) {
  const t = useTexts(texts)
  const [edited, setEdited] = useState<string>()
  const stop = () => setEdited(undefined)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (edited !== undefined) void onSave(edited).then(stop, () => undefined)
      }}
    >
      <TextInput
        size="xs"
        label={name}
        dir="auto"
        value={edited ?? value ?? ""}
        readOnly={!mayChange}
        {...(value === undefined && { placeholder: t.hidden })}
        onChange={({ currentTarget }) => setEdited(currentTarget.value)}
      />
      {edited !== undefined && (
        <Group gap="xs" mt={4} justify="flex-end">
          <Button size="compact-xs" variant="default" onClick={stop}>
            {t.cancel}
          </Button>
          <Button size="compact-xs" type="submit">
            {t.save}
          </Button>
        </Group>
      )}
    </form>
  )
}

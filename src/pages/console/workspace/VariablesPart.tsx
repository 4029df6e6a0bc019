/** Values that all bots of a workspace read: those in clear, and secrets that only requests carry. */
import { ActionIcon, Badge, Button, Checkbox, Group, Table, Text, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { issueAt, Problem, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import type { PartProps } from "./workspaceSearch.ts"

type Variable = Outputs["variable"]["list"]["variables"][number]

const texts = defineTexts({
  en: {
    title: "Variables and secrets",
    about:
      "All bots of the workspace read them, as {{workspace.name}}. Secrets are never shown again; only requests to other systems carry them.",
    name: "Name",
    value: "Value",
    secret: "Secret",
    add: "Add",
    save: "Save",
    none: "There are none yet.",
    hidden: "Hidden",
    replace: (name: string) => `New value of ${name}`,
    remove: "Delete",
    removing: (name: string) => `Bots that use ${name} find nothing in its place.`,
  },
  de: {
    title: "Variablen und Geheimnisse",
    about:
      "Alle Bots des Arbeitsbereichs lesen sie, als {{workspace.name}}. Geheimnisse zeigt niemand mehr an, und nur Anfragen nach außen enthalten sie.",
    name: "Name",
    value: "Wert",
    secret: "Geheim",
    add: "Hinzufügen",
    save: "Speichern",
    none: "Es gibt noch keine.",
    hidden: "Verborgen",
    replace: (name: string) => `Neuer Wert von ${name}`,
    remove: "Löschen",
    removing: (name: string) => `Bots, die ${name} verwenden, finden dort nichts mehr.`,
  },
})

export function VariablesPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const list = useQuery(api.variable.list.queryOptions({ workspaceId }))
  const [draft, setDraft] = useState({ name: "", value: "", isSecret: false })
  const [leaving, setLeaving] = useState<string>()
  const renew = () => queries.invalidateQueries(api.variable.list.queryFilter({ workspaceId }))
  const create = useMutation({
    ...api.variable.create.mutationOptions(),
    onSuccess: async () => {
      setDraft({ name: "", value: "", isSecret: false })
      await renew()
    },
  })
  const remove = useMutation({
    ...api.variable.delete.mutationOptions(),
    onSuccess: async () => {
      setLeaving(undefined)
      await renew()
    },
    onError: reportProblem,
  })
  const variables = list.data?.variables ?? []
  return (
    <Card title={t.title} about={t.about}>
      {list.error && <Problem error={list.error} />}
      {list.isSuccess && variables.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {variables.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.name}</Table.Th>
              <Table.Th>{t.value}</Table.Th>
              <Table.Th aria-label={t.remove} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {variables.map((variable) => (
              <Row
                key={variable.name}
                variable={variable}
                workspaceId={workspaceId}
                onSaved={renew}
                onRemove={() => setLeaving(variable.name)}
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ workspaceId, ...draft, name: draft.name.trim() })
        }}
      >
        <Group align="end" gap="xs">
          <TextInput
            label={t.name}
            value={draft.name}
            onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
            error={create.error && (issueAt(create.error, "name") ?? sentenceOf(create.error))}
            required
          />
          <TextInput
            flex="1 1 14rem"
            label={t.value}
            type={draft.isSecret ? "password" : "text"}
            autoComplete="off"
            value={draft.value}
            onChange={({ currentTarget }) => setDraft({ ...draft, value: currentTarget.value })}
            error={create.error && issueAt(create.error, "value")}
          />
          <Checkbox
            label={t.secret}
            mb={8}
            checked={draft.isSecret}
            onChange={({ currentTarget }) =>
              setDraft({ ...draft, isSecret: currentTarget.checked })
            }
          />
          <Button type="submit" loading={create.isPending}>
            {t.add}
          </Button>
        </Group>
      </form>
      <Confirm
        isOpen={leaving !== undefined}
        title={t.remove}
        text={t.removing(leaving ?? "")}
        action={t.remove}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ workspaceId, variableName: leaving })}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}

type RowProps = {
  variable: Variable
  workspaceId: string
  onSaved(): unknown
  onRemove(): void
}

function Row({ variable: { name, value, isSecret }, workspaceId, onSaved, onRemove }: RowProps) {
  const t = useTexts(texts)
  const [typed, setTyped] = useState<string>()
  const update = useMutation({
    ...api.variable.update.mutationOptions(),
    onSuccess: async () => {
      setTyped(undefined)
      await onSaved()
    },
    onError: reportProblem,
  })
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <Text size="sm" ff="monospace">
            {name}
          </Text>
          {isSecret && <Badge color="gray">{t.secret}</Badge>}
        </Group>
      </Table.Td>
      <Table.Td>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            update.mutate({ workspaceId, variableName: name, value: typed ?? "" })
          }}
        >
          <Group gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              size="xs"
              aria-label={t.replace(name)}
              placeholder={isSecret ? t.hidden : ""}
              type={isSecret ? "password" : "text"}
              autoComplete="off"
              value={typed ?? value ?? ""}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
            {typed !== undefined && (
              <Button type="submit" size="xs" loading={update.isPending}>
                {t.save}
              </Button>
            )}
          </Group>
        </form>
      </Table.Td>
      <Table.Td w={40}>
        <ActionIcon aria-label={`${t.remove}: ${name}`} onClick={onRemove}>
          <Icon name="trash-2" size={16} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  )
}

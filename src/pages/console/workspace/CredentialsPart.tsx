/** The keys with which bots call others. What is in them is never shown again. */
import { ActionIcon, Button, Group, Menu, ScrollArea, Table, Text } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { membersOf, type Schema, shapesOf } from "../editor/blocks/blockSchema.ts"
import { Field } from "../editor/blocks/fields/Field.tsx"
import { NewCredential } from "../editor/blocks/fields/NewCredential.tsx"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useCatalogue } from "../shell/useCatalogue.ts"
import { ChangeCredential } from "./ChangeCredential.tsx"
import classes from "./CredentialsPart.module.css"
import type { PartProps } from "./workspaceSearch.ts"

type Credential = Outputs["credentials"]["list"]["credentials"][number]

const texts = defineTexts({
  en: {
    title: "Credentials",
    about: "Bots use them by name. Their contents are encrypted and never shown again.",
    none: "There are none yet. A block that needs one offers to make it, too.",
    add: "New credential",
    name: "Name",
    type: "Type",
    change: "Change",
    remove: "Delete",
    removing: (name: string) => `Blocks that use ${name} fail until they have another one.`,
  },
  de: {
    title: "Zugangsdaten",
    about:
      "Bots verwenden sie mit ihrem Namen. Der Inhalt ist verschlüsselt, und niemand liest ihn wieder.",
    none: "Es gibt noch keine. Ein Block, der welche braucht, bietet es auch an.",
    add: "Neue Zugangsdaten",
    name: "Name",
    type: "Art",
    change: "Ändern",
    remove: "Löschen",
    removing: (name: string) =>
      `Blöcke, die ${name} verwenden, schlagen fehl, bis sie andere Zugangsdaten haben.`,
  },
})

export function CredentialsPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const catalogue = useCatalogue()
  const list = useQuery(api.credentials.list.queryOptions({ workspaceId }))
  const [making, setMaking] = useState<string>()
  const [changing, setChanging] = useState<Credential>()
  const [leaving, setLeaving] = useState<Credential>()
  const remove = useMutation({
    ...api.credentials.delete.mutationOptions(),
    onSuccess: async () => {
      setLeaving(undefined)
      await queries.invalidateQueries(api.credentials.list.pathFilter())
    },
    onError: reportProblem,
  })
  const credentials = list.data?.credentials ?? []
  return (
    <Card
      title={t.title}
      about={t.about}
      action={
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<Icon name="plus" size={16} />}>
              {t.add}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <ScrollArea.Autosize mah={320}>
              {catalogue.credentials.filter(hasFields).map(({ type }) => (
                <Menu.Item key={type} onClick={() => setMaking(type)}>
                  {type}
                </Menu.Item>
              ))}
            </ScrollArea.Autosize>
          </Menu.Dropdown>
        </Menu>
      }
    >
      {list.error && <Problem error={list.error} />}
      {list.isSuccess && credentials.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {credentials.length > 0 && (
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.name}</Table.Th>
              <Table.Th>{t.type}</Table.Th>
              <Table.Th aria-label={t.remove} />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {credentials.map((credential) => (
              <Table.Tr key={credential.id}>
                <Table.Td>
                  {credential.name}
                  {credential.allowedHosts.length > 0 && (
                    <Text size="xs" c="dimmed" className={classes.hosts}>
                      {credential.allowedHosts.join(", ")}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>{credential.type}</Table.Td>
                <Table.Td>
                  <Group justify="end" gap={0} wrap="nowrap">
                    <ActionIcon
                      aria-label={`${t.change}: ${credential.name}`}
                      onClick={() => setChanging(credential)}
                    >
                      <Icon name="pencil" size={16} />
                    </ActionIcon>
                    <ActionIcon
                      aria-label={`${t.remove}: ${credential.name}`}
                      onClick={() => setLeaving(credential)}
                    >
                      <Icon name="trash-2" size={16} />
                    </ActionIcon>
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {making !== undefined && (
        <NewCredential
          type={making}
          workspaceId={workspaceId}
          Field={Field}
          onClose={() => setMaking(undefined)}
          onMade={() => setMaking(undefined)}
        />
      )}
      {changing && (
        <ChangeCredential credential={changing} onClose={() => setChanging(undefined)} />
      )}
      <Confirm
        isOpen={leaving !== undefined}
        title={t.remove}
        text={t.removing(leaving?.name ?? "")}
        action={t.remove}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ credentialsId: leaving.id })}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}

/** False for those of channels that other systems run: the service uses none, and knows no members of them. */
const hasFields = ({ schema }: { schema: Schema }) =>
  membersOf(schema).length > 0 || shapesOf(schema).length > 0

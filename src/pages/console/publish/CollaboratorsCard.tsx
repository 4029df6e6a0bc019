/** With whom a bot is shared, beside the members of its workspace. */
import { ActionIcon, Avatar, Badge, Button, Group, Select, Text, TextInput } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { issueAt, Problem, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"

type Bot = Outputs["bot"]["get"]["bot"]
type Collaborator = Outputs["collaborator"]["list"]["collaborators"][number]
type Right = "READ" | "WRITE"

const texts = defineTexts({
  en: {
    title: "People",
    about:
      "Members of the workspace have the bot anyway. Share it with others by their mail address.",
    email: "Mail address",
    right: "Right",
    rights: { READ: "May read", WRITE: "May edit" },
    invite: "Share",
    pending: "Invited",
    remove: "Stop sharing",
    removing: (who: string) => `${who} no longer sees this bot. What they have made of it stays.`,
  },
  de: {
    title: "Personen",
    about:
      "Mitglieder des Arbeitsbereichs haben den Bot ohnehin. Teile ihn mit anderen über ihre Mailadresse.",
    email: "Mailadresse",
    right: "Recht",
    rights: { READ: "Darf lesen", WRITE: "Darf bearbeiten" },
    invite: "Teilen",
    pending: "Eingeladen",
    remove: "Nicht mehr teilen",
    removing: (who: string) =>
      `${who} sieht diesen Bot nicht mehr. Was daraus entstanden ist, bleibt.`,
  },
})

export function CollaboratorsCard({ bot: { id: botId } }: { bot: Bot }) {
  const t = useTexts(texts)
  const queries = useQueryClient()
  const [email, setEmail] = useState("")
  const [right, setRight] = useState<Right>("WRITE")
  const [leaving, setLeaving] = useState<Collaborator>()
  const list = useQuery({ ...api.collaborator.list.queryOptions({ botId }), retry: false })
  const renew = () => queries.invalidateQueries(api.collaborator.list.queryFilter({ botId }))
  const share = useMutation({
    ...api.collaborator.share.mutationOptions(),
    onSuccess: async () => {
      setEmail("")
      await renew()
    },
  })
  const update = useMutation({
    ...api.collaborator.update.mutationOptions(),
    onSuccess: renew,
    onError: reportProblem,
  })
  const remove = useMutation({
    ...api.collaborator.remove.mutationOptions(),
    onSuccess: async () => {
      setLeaving(undefined)
      await renew()
    },
    onError: reportProblem,
  })
  const rights = (["READ", "WRITE"] as const).map((value) => ({ value, label: t.rights[value] }))
  return (
    <Card title={t.title} about={t.about}>
      {list.error && <Problem error={list.error} />}
      {list.data?.collaborators.map((person) => (
        <Group key={person.id} gap="sm" wrap="nowrap">
          <Avatar size={30} src={person.image} name={person.name ?? person.email} color="accent" />
          <Text size="sm" truncate flex={1}>
            {person.name ?? person.email}
          </Text>
          {person.isPending && <Badge color="gray">{t.pending}</Badge>}
          <Select
            w={150}
            size="xs"
            data={rights}
            value={person.type}
            allowDeselect={false}
            aria-label={`${t.right}: ${person.name ?? person.email}`}
            onChange={(type) =>
              update.mutate({ botId, collaboratorId: person.id, type: type as Right })
            }
          />
          <ActionIcon aria-label={t.remove} onClick={() => setLeaving(person)}>
            <Icon name="x" size={16} />
          </ActionIcon>
        </Group>
      ))}
      {!list.error && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            share.mutate({ botId, email: email.trim(), type: right })
          }}
        >
          <Group align="start" gap="xs">
            <TextInput
              flex="1 1 12rem"
              type="email"
              aria-label={t.email}
              placeholder="name@example.com"
              value={email}
              onChange={({ currentTarget }) => {
                share.reset()
                setEmail(currentTarget.value)
              }}
              error={share.error && (issueAt(share.error, "email") ?? sentenceOf(share.error))}
            />
            <Select
              w={150}
              aria-label={t.right}
              data={rights}
              value={right}
              allowDeselect={false}
              onChange={(value) => setRight(value as Right)}
            />
            <Button
              type="submit"
              variant="default"
              loading={share.isPending}
              disabled={email.trim() === ""}
            >
              {t.invite}
            </Button>
          </Group>
        </form>
      )}
      <Confirm
        isOpen={leaving !== undefined}
        title={t.remove}
        text={t.removing(leaving?.name ?? leaving?.email ?? "")}
        action={t.remove}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ botId, collaboratorId: leaving.id })}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}

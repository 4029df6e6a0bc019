/** Tokens with which programs act for the user: each is shown once, when it is made. */

import {
  ActionIcon,
  Alert,
  Badge,
  Button,
  Group,
  MultiSelect,
  Text,
  TextInput,
} from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Inputs, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { CopyField } from "../shell/CopyField.tsx"
import { closeTexts } from "../shell/closeTexts.ts"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { issueAt, Problem, sentenceOf } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"

type Token = Outputs["user"]["listTokens"]["apiTokens"][number]
type Scope = NonNullable<Inputs["user"]["createToken"]["scopes"]>[number]

const texts = defineTexts({
  en: {
    title: "Tokens",
    about: "With a token a program does what you may do, or what its scopes allow.",
    name: "Name",
    scopes: "Scopes",
    everything: "Everything that you may do",
    until: "Expires on",
    never: "never expires",
    ends: (day: string) => `expires ${day}`,
    make: "Make a token",
    made: "Your new token",
    once: "Copy it now: it is not shown again.",
    revoke: "Revoke",
    revoking: (name: string) => `Programs with the token ${name} are refused from now on.`,
  },
  de: {
    title: "Token",
    about: "Mit einem Token tut ein Programm, was du darfst, oder was die Rechte erlauben.",
    name: "Name",
    scopes: "Rechte",
    everything: "Alles, was du darfst",
    until: "Gültig bis",
    never: "gilt unbegrenzt",
    ends: (day: string) => `gilt bis ${day}`,
    make: "Token anlegen",
    made: "Dein neues Token",
    once: "Kopiere es jetzt: Es wird nicht wieder gezeigt.",
    revoke: "Widerrufen",
    revoking: (name: string) => `Programme mit dem Token ${name} werden ab jetzt abgewiesen.`,
  },
})

const scopes: Scope[] = ["bots:read", "bots:write", "results:read", "conversations:write", "admin"]

const nothing = { name: "", until: "", scopes: [] as Scope[] }

export function TokensCard() {
  const t = useTexts(texts)
  const { close } = useTexts(closeTexts)
  const write = useWriting()
  const queries = useQueryClient()
  const list = useQuery(api.user.listTokens.queryOptions())
  const [draft, setDraft] = useState(nothing)
  const [secret, setSecret] = useState<string>()
  const [leaving, setLeaving] = useState<Token>()
  const renew = () => queries.invalidateQueries(api.user.listTokens.queryFilter())
  const create = useMutation({
    ...api.user.createToken.mutationOptions(),
    onSuccess: async ({ apiToken }) => {
      setSecret(apiToken.token)
      setDraft(nothing)
      await renew()
    },
  })
  const revoke = useMutation({
    ...api.user.revokeToken.mutationOptions(),
    onSuccess: async () => {
      setLeaving(undefined)
      await renew()
    },
    onError: reportProblem,
  })
  const { error } = create
  return (
    <Card title={t.title} about={t.about}>
      {list.error && <Problem error={list.error} />}
      {secret && (
        <Alert
          title={t.made}
          withCloseButton
          closeButtonLabel={close}
          onClose={() => setSecret(undefined)}
        >
          <Text size="sm" mb="xs">
            {t.once}
          </Text>
          <CopyField value={secret} label={t.made} />
        </Alert>
      )}
      {list.data?.apiTokens.map((token) => (
        <Group key={token.id} wrap="nowrap" justify="space-between">
          <div style={{ minWidth: 0 }}>
            <Group gap="xs">
              <Text size="sm" fw={500}>
                {token.name}
              </Text>
              <Text size="xs" c="dimmed" ff="monospace">
                …{token.hint}
              </Text>
            </Group>
            <Group gap={4}>
              {token.scopes?.map((scope) => (
                <Badge key={scope} color="gray">
                  {scope}
                </Badge>
              ))}
              <Text size="xs" c="dimmed">
                {token.expiresAt ? t.ends(write.day(token.expiresAt)) : t.never}
              </Text>
            </Group>
          </div>
          <ActionIcon aria-label={`${t.revoke}: ${token.name}`} onClick={() => setLeaving(token)}>
            <Icon name="trash-2" size={16} />
          </ActionIcon>
        </Group>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({
            name: draft.name.trim(),
            ...(draft.scopes.length > 0 && { scopes: draft.scopes }),
            ...(draft.until && { expiresAt: new Date(`${draft.until}T23:59:59`).toISOString() }),
          })
        }}
      >
        <Group align="end" gap="xs">
          <TextInput
            flex="1 1 10rem"
            label={t.name}
            value={draft.name}
            onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
            error={error && (issueAt(error, "name") ?? sentenceOf(error))}
            maxLength={100}
            required
          />
          <MultiSelect
            flex="1 1 14rem"
            label={t.scopes}
            placeholder={draft.scopes.length === 0 ? t.everything : ""}
            data={scopes}
            value={draft.scopes}
            onChange={(picked) => setDraft({ ...draft, scopes: picked as Scope[] })}
          />
          <TextInput
            type="date"
            label={t.until}
            value={draft.until}
            onChange={({ currentTarget }) => setDraft({ ...draft, until: currentTarget.value })}
            error={error && issueAt(error, "expiresAt")}
          />
          <Button type="submit" variant="default" loading={create.isPending}>
            {t.make}
          </Button>
        </Group>
      </form>
      <Confirm
        isOpen={leaving !== undefined}
        title={t.revoke}
        text={t.revoking(leaving?.name ?? "")}
        action={t.revoke}
        isPending={revoke.isPending}
        onConfirm={() => leaving && revoke.mutate({ tokenId: leaving.id })}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}

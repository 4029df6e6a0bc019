/** Addresses to which the service sends what happens in bots. */

import { ActionIcon, Alert, Badge, Button, Group, Modal, Stack, Switch, Text } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { CopyField } from "../shell/CopyField.tsx"
import { closeTexts } from "../shell/closeTexts.ts"
import { Icon } from "../shell/Icon.tsx"
import { notify, reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { Deliveries } from "./Deliveries.tsx"
import { EndpointForm } from "./EndpointForm.tsx"
import type { PartProps } from "./workspaceSearch.ts"

type Endpoint = Outputs["webhookEndpoint"]["list"]["endpoints"][number]

const texts = defineTexts({
  en: {
    title: "Webhooks",
    about: "An endpoint gets a signed request for every event of its types.",
    none: "There are no endpoints yet.",
    add: "New endpoint",
    secret: "Secret of the endpoint",
    secretAbout: "With it the receiver checks that a request is ours. It is shown only now.",
    enabled: (url: string) => `Sends to ${url}`,
    test: "Send a test",
    tested: (status: number) => `The endpoint answered with ${status}.`,
    untested: "The endpoint did not answer.",
    deliveries: "Deliveries",
    rotate: "New secret",
    remove: "Delete",
    removing: (url: string) => `${url} gets no more events, and its deliveries are forgotten.`,
  },
  de: {
    title: "Webhooks",
    about: "Ein Endpunkt bekommt für jedes Ereignis seiner Arten eine signierte Anfrage.",
    none: "Es gibt noch keine Endpunkte.",
    add: "Neuer Endpunkt",
    secret: "Geheimnis des Endpunkts",
    secretAbout:
      "Damit prüft der Empfänger, dass eine Anfrage von uns ist. Es wird nur jetzt gezeigt.",
    enabled: (url: string) => `Sendet an ${url}`,
    test: "Test senden",
    tested: (status: number) => `Der Endpunkt antwortete mit ${status}.`,
    untested: "Der Endpunkt antwortete nicht.",
    deliveries: "Zustellungen",
    rotate: "Neues Geheimnis",
    remove: "Löschen",
    removing: (url: string) =>
      `${url} bekommt keine Ereignisse mehr, und seine Zustellungen werden vergessen.`,
  },
})

export function WebhooksPart({ workspaceId }: PartProps) {
  const t = useTexts(texts)
  const { close } = useTexts(closeTexts)
  const queries = useQueryClient()
  const list = useQuery(api.webhookEndpoint.list.queryOptions({ workspaceId }))
  const [isMaking, setMaking] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [opened, setOpened] = useState<Endpoint>()
  const [leaving, setLeaving] = useState<Endpoint>()
  const renew = () => queries.invalidateQueries(api.webhookEndpoint.list.pathFilter())
  const update = useMutation({
    ...api.webhookEndpoint.update.mutationOptions(),
    onSuccess: renew,
    onError: reportProblem,
  })
  const rotate = useMutation({
    ...api.webhookEndpoint.rotateSecret.mutationOptions(),
    onSuccess: (made) => setSecret(made.secret),
    onError: reportProblem,
  })
  const test = useMutation({
    ...api.webhookEndpoint.test.mutationOptions(),
    onSuccess: ({ outcome: { status, error } }) =>
      void notify({
        message: error ?? (status === undefined ? t.untested : t.tested(status)),
        isProblem: status === undefined || status >= 300,
      }),
    onError: reportProblem,
  })
  const remove = useMutation({
    ...api.webhookEndpoint.delete.mutationOptions(),
    onSuccess: async () => {
      setLeaving(undefined)
      await renew()
    },
    onError: reportProblem,
  })
  const endpoints = list.data?.endpoints ?? []
  return (
    <Card
      title={t.title}
      about={t.about}
      action={
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          onClick={() => setMaking(true)}
        >
          {t.add}
        </Button>
      }
    >
      {list.error && <Problem error={list.error} />}
      {secret && (
        <Alert
          title={t.secret}
          withCloseButton
          closeButtonLabel={close}
          onClose={() => setSecret(undefined)}
        >
          <Text size="sm" mb="xs">
            {t.secretAbout}
          </Text>
          <CopyField value={secret} label={t.secret} />
        </Alert>
      )}
      {list.isSuccess && endpoints.length === 0 && (
        <Text size="sm" c="dimmed">
          {t.none}
        </Text>
      )}
      {endpoints.map((endpoint) => {
        const address = { workspaceId, endpointId: endpoint.id }
        return (
          <Stack key={endpoint.id} gap="xs">
            <Group wrap="nowrap">
              <Switch
                checked={endpoint.isEnabled}
                aria-label={t.enabled(endpoint.url)}
                onChange={({ currentTarget }) =>
                  update.mutate({ ...address, isEnabled: currentTarget.checked })
                }
              />
              <Text size="sm" fw={500} truncate flex={1}>
                {endpoint.url}
              </Text>
              <ActionIcon
                aria-label={`${t.remove}: ${endpoint.url}`}
                onClick={() => setLeaving(endpoint)}
              >
                <Icon name="trash-2" size={16} />
              </ActionIcon>
            </Group>
            <Group gap={4}>
              {endpoint.types.map((type) => (
                <Badge key={type} color="gray">
                  {type}
                </Badge>
              ))}
            </Group>
            <Group gap="xs">
              <Button size="compact-sm" variant="default" onClick={() => setOpened(endpoint)}>
                {t.deliveries}
              </Button>
              <Button
                size="compact-sm"
                variant="default"
                loading={test.isPending && test.variables?.endpointId === endpoint.id}
                onClick={() => test.mutate(address)}
              >
                {t.test}
              </Button>
              <Button size="compact-sm" variant="default" onClick={() => rotate.mutate(address)}>
                {t.rotate}
              </Button>
            </Group>
          </Stack>
        )
      })}
      <Modal
        opened={isMaking}
        onClose={() => setMaking(false)}
        title={t.add}
        closeButtonProps={{ "aria-label": close }}
      >
        <EndpointForm
          workspaceId={workspaceId}
          onMade={async (made) => {
            setMaking(false)
            setSecret(made)
            await renew()
          }}
        />
      </Modal>
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={`${t.deliveries}: ${opened?.url}`}
        size="xl"
        closeButtonProps={{ "aria-label": close }}
      >
        {opened && <Deliveries workspaceId={workspaceId} endpointId={opened.id} />}
      </Modal>
      <Confirm
        isOpen={leaving !== undefined}
        title={t.remove}
        text={t.removing(leaving?.url ?? "")}
        action={t.remove}
        isPending={remove.isPending}
        onConfirm={() => leaving && remove.mutate({ workspaceId, endpointId: leaving.id })}
        onClose={() => setLeaving(undefined)}
      />
    </Card>
  )
}

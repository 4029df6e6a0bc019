/** Puts the draft live, after it has shown what that changes and what is wrong with it. */
import { Alert, Badge, Button, Group, Loader, Stack, Text, Textarea } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, type Outputs, parley } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { Icon } from "../shell/Icon.tsx"
import { notify, reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { ChangesList } from "../versions/ChangesList.tsx"

type Bot = Outputs["bot"]["get"]["bot"]

const texts = defineTexts({
  en: {
    title: "Publish",
    live: "Live",
    draft: "Not published",
    since: (version: number, when: string) => `Version ${version} is live since ${when}.`,
    never: "New chats need a published version.",
    changes: "What publishing changes",
    first: "Everything is new: this is the first version.",
    note: "Note",
    notePlaceholder: "What is new, for your team",
    publish: "Publish",
    published: (version: number) => `Version ${version} is live.`,
    unpublish: "Unpublish",
    unpublishing: "New chats no longer start. Open chats continue with their version.",
    errors: (count: number) =>
      count === 1
        ? "One problem keeps the bot from running"
        : `${count} problems keep the bot from running`,
    warnings: (count: number) => (count === 1 ? "One warning" : `${count} warnings`),
  },
  de: {
    title: "Veröffentlichen",
    live: "Live",
    draft: "Nicht veröffentlicht",
    since: (version: number, when: string) => `Version ${version} ist live seit ${when}.`,
    never: "Neue Gespräche brauchen eine veröffentlichte Version.",
    changes: "Was sich dadurch ändert",
    first: "Alles ist neu: Dies ist die erste Version.",
    note: "Notiz",
    notePlaceholder: "Was neu ist, für dein Team",
    publish: "Veröffentlichen",
    published: (version: number) => `Version ${version} ist live.`,
    unpublish: "Zurückziehen",
    unpublishing:
      "Neue Gespräche beginnen nicht mehr. Offene Gespräche laufen mit ihrer Version weiter.",
    errors: (count: number) =>
      count === 1
        ? "Ein Fehler hindert den Bot am Laufen"
        : `${count} Fehler hindern den Bot am Laufen`,
    warnings: (count: number) => (count === 1 ? "Eine Warnung" : `${count} Warnungen`),
  },
})

export function PublishCard({ bot, mayEdit }: { bot: Bot; mayEdit: boolean }) {
  const t = useTexts(texts)
  const write = useWriting()
  const queries = useQueryClient()
  const { id: botId } = bot
  const [note, setNote] = useState("")
  const [isLeaving, setLeaving] = useState(false)
  const history = useQuery(api.version.list.queryOptions({ botId, limit: 20 }))
  const live = history.data?.versions.find(({ isLive }) => isLive)
  const lint = useQuery({
    queryKey: [...api.bot.lint.mutationKey(), botId],
    queryFn: () => parley.bot.lint.mutate({ botId }),
    staleTime: 0,
  })
  const diff = useQuery({
    ...api.version.diff.queryOptions({ botId, from: "live", to: "draft" }),
    enabled: live !== undefined,
    staleTime: 0,
  })
  const renew = () =>
    Promise.all(
      [api.version.pathFilter(), api.bot.get.queryFilter({ botId }), api.bot.list.pathFilter()].map(
        (filter) => queries.invalidateQueries(filter),
      ),
    )
  const publish = useMutation({
    ...api.bot.publish.mutationOptions(),
    onSuccess: async ({ versionNumber }) => {
      setNote("")
      await renew()
      void notify({ message: t.published(versionNumber) })
    },
    onError: reportProblem,
  })
  const unpublish = useMutation({
    ...api.bot.unpublish.mutationOptions(),
    onSuccess: async () => {
      setLeaving(false)
      await renew()
    },
    onError: reportProblem,
  })
  const errorCount = lint.data?.errorCount ?? 0
  return (
    <Card
      title={t.title}
      about={live ? t.since(live.number, write.moment(live.liveFrom ?? live.createdAt)) : t.never}
      action={
        <Badge color={live ? "green" : "gray"} size="lg" style={{ flexShrink: 0 }}>
          {live ? t.live : t.draft}
        </Badge>
      }
    >
      {lint.error && <Problem error={lint.error} />}
      {errorCount > 0 && <Findings title={t.errors(errorCount)} of="error" data={lint.data} />}
      {(lint.data?.warningCount ?? 0) > 0 && (
        <Findings title={t.warnings(lint.data?.warningCount ?? 0)} of="warning" data={lint.data} />
      )}
      <Stack gap={4}>
        <Text size="sm" fw={600}>
          {t.changes}
        </Text>
        {history.isSuccess && live === undefined && (
          <Text size="sm" c="dimmed">
            {t.first}
          </Text>
        )}
        {live && diff.isPending && <Loader size="sm" />}
        {diff.error && <Problem error={diff.error} />}
        {diff.data?.changes && <ChangesList changes={diff.data.changes} />}
      </Stack>
      {mayEdit && (
        <>
          <Textarea
            label={t.note}
            placeholder={t.notePlaceholder}
            value={note}
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
            maxLength={1_000}
            autosize
            minRows={1}
          />
          <Group justify="space-between">
            <Button
              leftSection={<Icon name="rocket" />}
              loading={publish.isPending}
              disabled={errorCount > 0}
              onClick={() => publish.mutate({ botId, ...(note.trim() && { note: note.trim() }) })}
            >
              {t.publish}
            </Button>
            {live && (
              <Button variant="subtle" color="red" onClick={() => setLeaving(true)}>
                {t.unpublish}
              </Button>
            )}
          </Group>
        </>
      )}
      <Confirm
        isOpen={isLeaving}
        title={t.unpublish}
        text={t.unpublishing}
        action={t.unpublish}
        isPending={unpublish.isPending}
        onConfirm={() => unpublish.mutate({ botId })}
        onClose={() => setLeaving(false)}
      />
    </Card>
  )
}

type FindingsProps = {
  title: string
  of: "error" | "warning"
  data: Outputs["bot"]["lint"] | undefined
}

function Findings({ title, of, data }: FindingsProps) {
  const found = data?.findings.filter(({ severity }) => severity === of) ?? []
  return (
    <Alert
      color={of === "error" ? "red" : "yellow"}
      title={title}
      icon={<Icon name="triangle-alert" />}
    >
      <Stack gap="xs">
        {found.map(({ pointer, rule, place, message, remedy }) => (
          <Text size="sm" key={`${rule} ${pointer}`}>
            <Text span fw={500}>
              {place}
            </Text>
            : {message} {remedy}
          </Text>
        ))}
      </Stack>
    </Alert>
  )
}

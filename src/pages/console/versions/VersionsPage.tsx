/** What was live and when, any two states side by side in words, and the ways back. */
import {
  Badge,
  Button,
  Container,
  Group,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Timeline,
  Title,
} from "@mantine/core"
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { createLazyRoute, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { api, type Outputs } from "../shell/api.ts"
import { Card } from "../shell/Card.tsx"
import { Confirm } from "../shell/Confirm.tsx"
import { notify, reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { ChangesList } from "./ChangesList.tsx"
import { FlowComparison } from "./FlowComparison.tsx"
import { KeepForm } from "./KeepForm.tsx"
import type { VersionsSearch } from "./versionsSearch.ts"

export const Route = createLazyRoute("/bots/$botId/versions")({ component: VersionsPage })

type Version = Outputs["version"]["list"]["versions"][number]

const texts = defineTexts({
  en: {
    title: "Versions",
    none: "There is no version yet. Publishing makes one, and you can keep the draft as it is.",
    version: (number: number) => `Version ${number}`,
    live: "Live",
    kept: "Kept draft",
    chats: (count: number) => (count === 1 ? "one open chat" : `${count} open chats`),
    by: (name: string, when: string) => `${name}, ${when}`,
    rollback: "Make live again",
    rollingBack: (number: number) =>
      `New chats run version ${number}. The draft stays as it is, and open chats go on with their version.`,
    rolledBack: (number: number) => `Version ${number} is live.`,
    restore: "Restore into the draft",
    restoring: (number: number) =>
      `The draft becomes version ${number}. What is in it now can be brought back by Undo in the editor.`,
    restored: (number: number) => `The draft is version ${number}.`,
    compare: "Compare",
    from: "From",
    to: "To",
    draft: "Draft",
    liveSide: "Live version",
    views: "Show changes as",
    words: "Words",
    canvas: "Canvas",
  },
  de: {
    title: "Versionen",
    none: "Es gibt noch keine Version. Veröffentlichen macht eine, und du kannst den Entwurf festhalten, wie er ist.",
    version: (number: number) => `Version ${number}`,
    live: "Live",
    kept: "Festgehaltener Entwurf",
    chats: (count: number) => (count === 1 ? "ein offenes Gespräch" : `${count} offene Gespräche`),
    by: (name: string, when: string) => `${name}, ${when}`,
    rollback: "Wieder live schalten",
    rollingBack: (number: number) =>
      `Neue Gespräche laufen mit Version ${number}. Der Entwurf bleibt, und offene Gespräche laufen mit ihrer Version weiter.`,
    rolledBack: (number: number) => `Version ${number} ist live.`,
    restore: "In den Entwurf zurückholen",
    restoring: (number: number) =>
      `Der Entwurf wird zu Version ${number}. Was jetzt darin ist, bringt Rückgängig im Editor zurück.`,
    restored: (number: number) => `Der Entwurf ist Version ${number}.`,
    compare: "Vergleichen",
    from: "Von",
    to: "Nach",
    draft: "Entwurf",
    liveSide: "Live-Version",
    views: "Änderungen zeigen als",
    words: "Worte",
    canvas: "Ablauf",
  },
})

type Step = { way: "rollback" | "restore"; number: number }

const pageSize = 50

function VersionsPage() {
  const t = useTexts(texts)
  const { botId } = Route.useParams()
  const queries = useQueryClient()
  const { data: read } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const mayEdit = read.currentUserMode === "write"
  const list = useQuery(api.version.list.queryOptions({ botId, limit: pageSize }))
  const [step, setStep] = useState<Step>()
  const renew = async () => {
    setStep(undefined)
    await queries.invalidateQueries(api.version.pathFilter())
    await queries.invalidateQueries(api.bot.get.queryFilter({ botId }))
  }
  const rollback = useMutation({
    ...api.version.rollback.mutationOptions(),
    onSuccess: async ({ version }) => {
      await renew()
      void notify({ message: t.rolledBack(version) })
    },
    onError: reportProblem,
  })
  const restore = useMutation({
    ...api.version.restoreDraft.mutationOptions(),
    onSuccess: async (_, { version }) => {
      await renew()
      void notify({ message: t.restored(version) })
    },
    onError: reportProblem,
  })
  const versions = list.data?.versions ?? []
  const words = step?.way === "restore" ? "restore" : "rollback"
  return (
    <Container>
      <Stack gap="lg">
        <Title order={2} size="h3">
          {t.title}
        </Title>
        {list.error && <Problem error={list.error} retry={() => void list.refetch()} />}
        {mayEdit && <KeepForm botId={botId} />}
        {list.isSuccess && versions.length === 0 && <Text c="dimmed">{t.none}</Text>}
        {versions.length > 0 && (
          <>
            <Timeline bulletSize={14} lineWidth={2} active={-1}>
              {versions.map((version) => (
                <Timeline.Item key={version.number} title={<Heading version={version} />}>
                  <About version={version} />
                  {mayEdit && (
                    <Group gap="xs" mt={6}>
                      {!version.isLive && !version.isDraft && (
                        <Button
                          size="compact-xs"
                          variant="default"
                          onClick={() => setStep({ way: "rollback", number: version.number })}
                        >
                          {t.rollback}
                        </Button>
                      )}
                      <Button
                        size="compact-xs"
                        variant="default"
                        onClick={() => setStep({ way: "restore", number: version.number })}
                      >
                        {t.restore}
                      </Button>
                    </Group>
                  )}
                </Timeline.Item>
              ))}
            </Timeline>
            <Comparison botId={botId} versions={versions} />
          </>
        )}
      </Stack>
      <Confirm
        isOpen={step !== undefined}
        title={t[words]}
        text={step && (step.way === "restore" ? t.restoring : t.rollingBack)(step.number)}
        action={t[words]}
        isPending={rollback.isPending || restore.isPending}
        onConfirm={() => {
          if (step === undefined) return
          const asked = { botId, version: step.number }
          if (step.way === "restore") restore.mutate(asked)
          else rollback.mutate(asked)
        }}
        onClose={() => setStep(undefined)}
      />
    </Container>
  )
}

function Heading({ version }: { version: Version }) {
  const t = useTexts(texts)
  return (
    <Group gap="xs">
      <Text fw={600} size="sm">
        {t.version(version.number)}
      </Text>
      {version.isLive && <Badge color="green">{t.live}</Badge>}
      {version.isDraft && <Badge color="gray">{t.kept}</Badge>}
    </Group>
  )
}

function About({ version }: { version: Version }) {
  const t = useTexts(texts)
  const write = useWriting()
  const { author, note, openChats, createdAt, liveFrom } = version
  const when = write.moment(liveFrom ?? createdAt)
  return (
    <>
      {note && <Text size="sm">{note}</Text>}
      <Text size="xs" c="dimmed">
        {author ? t.by(author.name ?? author.email ?? "", when) : when}
        {openChats > 0 && ` · ${t.chats(openChats)}`}
      </Text>
    </>
  )
}

/** Two states, as the address names them, and what they differ in. */
function Comparison({ botId, versions }: { botId: string; versions: readonly Version[] }) {
  const t = useTexts(texts)
  const { from = "live", to = "draft", view = "words" } = Route.useSearch()
  const navigate = useNavigate({ from: "/bots/$botId/versions" })
  const diff = useQuery({
    ...api.version.diff.queryOptions({ botId, from, to }),
    retry: false,
    staleTime: 0,
  })
  const sides = [
    { value: "draft", label: t.draft },
    { value: "live", label: t.liveSide },
    ...versions.map(({ number }) => ({ value: String(number), label: t.version(number) })),
  ]
  const set = (change: VersionsSearch) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true })
  return (
    <Card title={t.compare}>
      <Group grow>
        <Select
          label={t.from}
          data={sides}
          value={from}
          allowDeselect={false}
          onChange={(side) => set({ from: side ?? "live" })}
        />
        <Select
          label={t.to}
          data={sides}
          value={to}
          allowDeselect={false}
          onChange={(side) => set({ to: side ?? "draft" })}
        />
      </Group>
      {diff.error && <Problem error={diff.error} />}
      {diff.data?.changes && (
        <>
          <SegmentedControl
            size="xs"
            w="fit-content"
            aria-label={t.views}
            value={view}
            data={[
              { value: "words", label: t.words },
              { value: "canvas", label: t.canvas },
            ]}
            onChange={(next) => set({ view: next === "canvas" ? "canvas" : undefined })}
          />
          {view === "canvas" ? (
            <FlowComparison
              key={`${from} ${to}`}
              {...{ botId, from, to, changes: diff.data.changes }}
            />
          ) : (
            <ChangesList changes={diff.data.changes} />
          )}
        </>
      )}
    </Card>
  )
}

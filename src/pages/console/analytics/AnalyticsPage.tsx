/** Analytics of a bot: how many chats start and end, where people leave, and what they choose. */
import {
  Container,
  Group,
  NativeSelect,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  Title,
} from "@mantine/core"
import { useQuery, useSuspenseQuery } from "@tanstack/react-query"
import { createLazyRoute, useNavigate, useSearch } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { PeriodSelect } from "../results/PeriodSelect.tsx"
import { lengthOf } from "../results/ResultsTable.tsx"
import { useBotId, useListedColumns, useVersionNumbers } from "../results/resultQueries.ts"
import { spanOf } from "../results/resultsSearch.ts"
import { api, type Outputs } from "../shell/api.ts"
import { Icon } from "../shell/Icon.tsx"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./AnalyticsPage.module.css"
import type { AnalyticsSearch } from "./analyticsSearch.ts"
import { DayChart } from "./DayChart.tsx"
import { Traffic } from "./Traffic.tsx"
import { CountTable, FunnelTable } from "./tables.tsx"

const texts = defineTexts({
  en: {
    title: "Analytics",
    version: "Version",
    all: "All versions",
    views: "Show counts as",
    figures: "Figures",
    canvas: "Canvas",
    starts: "Started",
    completions: "Completed",
    rate: "Completion rate",
    time: "Median time",
    calls: "Model calls",
    tokens: "Model tokens",
    days: "Chats by day",
    funnel: "Questions",
    funnelHint: "How many people were asked, and where they left",
    choices: "Choices",
    versions: "Versions",
    models: "Language models",
    uncounted: (from: string, to: string) =>
      `Chats between ${from} and ${to} are not counted yet: this happens within a day.`,
    noneTitle: "No chats in this period",
    none: "Publish the bot and share its address: what visitors do is counted here.",
    byVersion: {
      name: "Version",
      starts: "Started",
      completions: "Completed",
      rate: "Rate",
      gone: "Deleted",
    },
    byModel: { name: "Block", calls: "Calls", input: "Tokens sent", output: "Tokens written" },
    judged: "Judged replies",
    choice: { name: "Choice", count: "Times", share: "Share" },
  },
  de: {
    title: "Analyse",
    version: "Version",
    all: "Alle Versionen",
    views: "Zahlen zeigen als",
    figures: "Zahlen",
    canvas: "Ablauf",
    starts: "Begonnen",
    completions: "Abgeschlossen",
    rate: "Abschlussquote",
    time: "Mittlere Dauer",
    calls: "Modellaufrufe",
    tokens: "Modell-Tokens",
    days: "Gespräche nach Tag",
    funnel: "Fragen",
    funnelHint: "Wie viele gefragt wurden, und wo sie gegangen sind",
    choices: "Auswahl",
    versions: "Versionen",
    models: "Sprachmodelle",
    uncounted: (from: string, to: string) =>
      `Gespräche zwischen ${from} und ${to} sind noch nicht gezählt: Das geschieht binnen eines Tages.`,
    noneTitle: "Keine Gespräche in diesem Zeitraum",
    none: "Veröffentliche den Bot und teile seine Adresse: Was dort geschieht, wird hier gezählt.",
    byVersion: {
      name: "Version",
      starts: "Begonnen",
      completions: "Abgeschlossen",
      rate: "Quote",
      gone: "Gelöscht",
    },
    byModel: {
      name: "Block",
      calls: "Aufrufe",
      input: "Gesendete Tokens",
      output: "Geschriebene Tokens",
    },
    judged: "Prüfung von Antworten",
    choice: { name: "Auswahl", count: "Anzahl", share: "Anteil" },
  },
})

export const Route = createLazyRoute("/bots/$botId/analytics")({ component: AnalyticsPage })

function AnalyticsPage() {
  const t = useTexts(texts)
  const botId = useBotId()
  const search: AnalyticsSearch = useSearch({ from: "/bots/$botId/analytics" })
  const navigate = useNavigate({ from: "/bots/$botId/analytics" })
  const { version, view, ...period } = search
  const kept = { ...(version && { version }), ...(view && { view }) }
  const numbers = useVersionNumbers()
  const { data, error, refetch } = useQuery(
    api.result.analytics.queryOptions({ botId, ...spanOf(period), ...(version && { version }) }),
  )
  const known = version === undefined || numbers.includes(version) ? numbers : [version, ...numbers]
  return (
    <div className={classes.page}>
      <Container>
        <Group justify="space-between" mb="lg" gap="sm">
          <Title order={2} size="h3">
            {t.title}
          </Title>
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={t.views}
              value={view ?? "figures"}
              data={[
                { value: "figures", label: t.figures },
                { value: "canvas", label: t.canvas },
              ]}
              onChange={(next) =>
                void navigate({
                  search: {
                    ...period,
                    ...(version && { version }),
                    ...(next === "canvas" && { view: "canvas" as const }),
                  },
                  replace: true,
                })
              }
            />
            <NativeSelect
              size="xs"
              aria-label={t.version}
              value={version ?? ""}
              data={[
                { value: "", label: t.all },
                ...known.map((each) => ({ value: String(each), label: `${t.version} ${each}` })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                void navigate({
                  search: {
                    ...period,
                    ...(view && { view }),
                    ...(value !== "" && { version: Number(value) }),
                  },
                  replace: true,
                })
              }
            />
            <PeriodSelect
              period={period}
              onChange={(next) => void navigate({ search: { ...next, ...kept }, replace: true })}
            />
          </Group>
        </Group>
        {error ? (
          <Problem error={error} retry={() => void refetch()} />
        ) : data === undefined ? (
          <Stack aria-hidden="true">
            <Skeleton height={88} />
            <Skeleton height={240} />
          </Stack>
        ) : data.totals.starts === 0 ? (
          <Stack align="center" gap={4} p="xl" mt="xl" ta="center">
            <Icon name="chart-column" size={36} />
            <Text fw={600} mt="xs">
              {t.noneTitle}
            </Text>
            <Text size="sm" c="dimmed" maw="24rem">
              {t.none}
            </Text>
          </Stack>
        ) : view === "canvas" ? (
          <Traffic botId={botId} version={version} counts={data} />
        ) : (
          <Counts counts={data} search={search} />
        )}
      </Container>
    </div>
  )
}

type Counted = Outputs["result"]["analytics"]

function Counts({ counts, search }: { counts: Counted; search: AnalyticsSearch }) {
  const t = useTexts(texts)
  const writing = useWriting()
  const botId = useBotId()
  const { data } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const { totals, byDay, byVersion, blocks, answers, models, uncounted } = counts
  const columns = useListedColumns(search)
  const titleOf = titlesOf(data.bot, columns ?? [])
  const tokens = totals.inputTokens + totals.outputTokens
  const figures: [string, string][] = [
    [t.starts, writing.number(totals.starts)],
    [t.completions, writing.number(totals.completions)],
    [t.rate, writing.share(totals.completions, totals.starts)],
    ...(totals.medianSeconds === undefined
      ? []
      : [[t.time, lengthOf(totals.medianSeconds)] as [string, string]]),
    ...(totals.modelCalls === 0
      ? []
      : ([
          [t.calls, writing.number(totals.modelCalls)],
          [t.tokens, writing.number(tokens)],
        ] as [string, string][])),
  ]
  return (
    <Stack gap="xl">
      {uncounted && (
        <Text size="sm" c="dimmed" role="note">
          {t.uncounted(writing.moment(uncounted.from), writing.moment(uncounted.to))}
        </Text>
      )}
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Part title={t.days}>
        <DayChart days={byDay} period={search} />
      </Part>
      {blocks.length > 0 && (
        <Part title={t.funnel} hint={t.funnelHint}>
          <FunnelTable blocks={blocks} titleOf={titleOf} />
        </Part>
      )}
      {Object.keys(answers).length > 0 && (
        <Part title={t.choices}>
          <div className={classes.choices}>
            {Object.entries(answers).map(([blockId, choices]) => {
              const whole = choices.reduce((sum, { count }) => sum + count, 0)
              return (
                <CountTable
                  key={blockId}
                  caption={titleOf(blockId)}
                  heads={[t.choice.name, t.choice.count, t.choice.share]}
                  rows={choices.map(({ value, count }) => ({
                    name: value,
                    cells: [writing.number(count), writing.share(count, whole)],
                    part: count / Math.max(whole, 1),
                  }))}
                />
              )
            })}
          </div>
        </Part>
      )}
      {byVersion.length > 1 && (
        <Part title={t.versions}>
          <CountTable
            heads={[
              t.byVersion.name,
              t.byVersion.starts,
              t.byVersion.completions,
              t.byVersion.rate,
            ]}
            rows={byVersion.map(({ version, starts, completions }) => ({
              name: version?.toString() ?? t.byVersion.gone,
              cells: [
                writing.number(starts),
                writing.number(completions),
                writing.share(completions, starts),
              ],
              part: completions / Math.max(starts, 1),
            }))}
          />
        </Part>
      )}
      {models.length > 0 && (
        <Part title={t.models}>
          <CountTable
            heads={[t.byModel.name, t.byModel.calls, t.byModel.input, t.byModel.output]}
            rows={models.map(({ blockId, calls, inputTokens, outputTokens }) => ({
              name: blockId === "" ? t.judged : titleOf(blockId),
              cells: [calls, inputTokens, outputTokens].map((count) => writing.number(count)),
              part: (inputTokens + outputTokens) / Math.max(tokens, 1),
            }))}
          />
        </Part>
      )}
    </Stack>
  )
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section>
      <Title order={3} size="h5" mb={hint === undefined ? "sm" : 2}>
        {title}
      </Title>
      {hint !== undefined && (
        <Text size="sm" c="dimmed" mb="sm">
          {hint}
        </Text>
      )}
      {children}
    </section>
  )
}

type Titled = { groups: readonly { title: string; blocks: readonly { id: string }[] }[] }

/** Names blocks: inputs as tables of results do, others by their group; of deleted ones only the id is known. */
function titlesOf(
  { groups }: Titled,
  columns: readonly { id: string; title: string }[],
): (blockId: string) => string {
  const titles = new Map([
    ...groups.flatMap(({ title, blocks }) => blocks.map(({ id }) => [id, title] as const)),
    ...columns.map(({ id, title }) => [id, title] as const),
  ])
  return (blockId) => titles.get(blockId) ?? blockId
}

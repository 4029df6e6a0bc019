/** One result: what was said, beside its answers, variables, trace, logs and files. */
import { ActionIcon, Button, Drawer, Group, Loader, Tabs, Text, Tooltip } from "@mantine/core"
import { useMediaQuery } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { ChatLines } from "../conversations/ChatLines.tsx"
import { api, parley } from "../shell/api.ts"
import { Icon } from "../shell/Icon.tsx"
import { reportProblem } from "../shell/notify.ts"
import { Problem } from "../shell/Problem.tsx"
import { saveFile } from "../shell/saveFile.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./ResultDrawer.module.css"
import { ResultLogs } from "./ResultLogs.tsx"
import { lengthOf, StatusMark } from "./ResultsTable.tsx"
import { ResultTrace } from "./ResultTrace.tsx"
import { type Result, useBotId } from "./resultQueries.ts"
import { valueText } from "./tableColumns.ts"

const texts = defineTexts({
  en: {
    title: "Result",
    close: "Close",
    former: "Newer result",
    next: "Older result",
    delete: "Delete this result",
    conversation: "Open the conversation",
    transcript: "Transcript",
    answers: "Answers",
    variables: "Variables",
    trace: "Trace",
    logs: "Logs",
    files: "Files",
    details: "Details",
    version: (number: number) => `Version ${number}`,
    noAnswers: "No answer yet.",
    noVariables: "No variable has a value.",
    noFiles: "The visitor has uploaded no file.",
    inexact: "This is not exactly what the visitor saw:",
    download: (name: string) => `Download ${name}`,
    models: (calls: number, tokens: string) => `${calls} model calls, ${tokens} tokens`,
  },
  de: {
    title: "Ergebnis",
    close: "Schließen",
    former: "Neueres Ergebnis",
    next: "Älteres Ergebnis",
    delete: "Dieses Ergebnis löschen",
    conversation: "Gespräch öffnen",
    transcript: "Verlauf",
    answers: "Antworten",
    variables: "Variablen",
    trace: "Ablauf",
    logs: "Protokoll",
    files: "Dateien",
    details: "Einzelheiten",
    version: (number: number) => `Version ${number}`,
    noAnswers: "Noch keine Antwort.",
    noVariables: "Keine Variable hat einen Wert.",
    noFiles: "Es wurde keine Datei hochgeladen.",
    inexact: "Das ist nicht genau das, was zu sehen war:",
    download: (name: string) => `${name} herunterladen`,
    models: (calls: number, tokens: string) => `${calls} Modellaufrufe, ${tokens} Tokens`,
  },
})

type Props = {
  /** Absent: none is open. */
  id: string | undefined
  /** Those of the list, of which the neighbours are shown next. */
  results: readonly Result[]
  onShow(id: string | undefined): void
  /** Absent: the user may only read. */
  onDelete: ((id: string) => void) | undefined
}

export function ResultDrawer({ id, results, onShow, onDelete }: Props) {
  const t = useTexts(texts)
  const place = results.findIndex((result) => result.id === id)
  const [former, next] = [results[place - 1]?.id, place < 0 ? undefined : results[place + 1]?.id]
  return (
    <Drawer
      opened={id !== undefined}
      onClose={() => onShow(undefined)}
      position="right"
      size="min(64rem, 100%)"
      title={t.title}
      closeButtonProps={{ "aria-label": t.close }}
      classNames={{ content: classes.content, body: classes.body, title: classes.name }}
      overlayProps={{ backgroundOpacity: 0.25 }}
    >
      {id !== undefined && (
        <>
          <Group gap={4} className={classes.moves}>
            <Step icon="arrow-up" label={t.former} id={former} onShow={onShow} />
            <Step icon="arrow-down" label={t.next} id={next} onShow={onShow} />
            {onDelete && (
              <Tooltip label={t.delete}>
                <ActionIcon aria-label={t.delete} onClick={() => onDelete(id)}>
                  <Icon name="trash-2" />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
          <OneResult key={id} id={id} />
        </>
      )}
    </Drawer>
  )
}

type StepProps = {
  icon: "arrow-up" | "arrow-down"
  label: string
  id: string | undefined
  onShow(id: string): void
}

function Step({ icon, label, id, onShow }: StepProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        disabled={id === undefined}
        onClick={() => id !== undefined && onShow(id)}
      >
        <Icon name={icon} />
      </ActionIcon>
    </Tooltip>
  )
}

function OneResult({ id }: { id: string }) {
  const t = useTexts(texts)
  const writing = useWriting()
  const botId = useBotId()
  const address = { botId, resultId: id }
  const isNarrow = useMediaQuery("(max-width: 48em)")
  const [tab, setTab] = useState<string | null>(null)
  const { data, error } = useQuery(api.result.get.queryOptions(address))
  if (error) return <Problem error={error} />
  if (!data) return <Loader m="xl" />
  const { result } = data
  const { usage, lastChatSessionId: session } = result
  const files = result.answers.flatMap(({ attachedFileUrls = [] }) => attachedFileUrls)
  return (
    <>
      <Group gap="xs" className={classes.facts}>
        <Text size="sm" fw={500}>
          {writing.moment(result.createdAt)}
        </Text>
        <Text size="sm">
          <StatusMark isDone={result.isCompleted} />
        </Text>
        {result.versionNumber !== undefined && (
          <Text size="sm" c="dimmed">
            {t.version(result.versionNumber)}
          </Text>
        )}
        {result.durationSeconds !== undefined && (
          <Text size="sm" c="dimmed">
            {lengthOf(result.durationSeconds)}
          </Text>
        )}
        {usage && (
          <Text size="sm" c="dimmed">
            {t.models(usage.calls, writing.number(usage.inputTokens + usage.outputTokens))}
          </Text>
        )}
        {session !== null && (
          <Button
            size="compact-xs"
            variant="subtle"
            ms="auto"
            leftSection={<Icon name="messages-square" size={14} />}
            renderRoot={(props) => (
              <Link
                to="/bots/$botId/conversations"
                params={{ botId }}
                search={{ session }}
                {...props}
              />
            )}
          >
            {t.conversation}
          </Button>
        )}
      </Group>
      <div className={classes.columns}>
        {isNarrow === false && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
          <section className={classes.column} aria-label={t.transcript} tabIndex={0}>
            <Transcript {...address} />
          </section>
        )}
        <Tabs
          value={tab ?? (isNarrow ? "transcript" : "answers")}
          onChange={setTab}
          keepMounted={false}
          className={classes.tabs}
        >
          <Tabs.List aria-label={t.details}>
            {isNarrow && <Tabs.Tab value="transcript">{t.transcript}</Tabs.Tab>}
            <Tabs.Tab value="answers">{t.answers}</Tabs.Tab>
            <Tabs.Tab value="variables">{t.variables}</Tabs.Tab>
            <Tabs.Tab value="trace">{t.trace}</Tabs.Tab>
            <Tabs.Tab value="logs">{t.logs}</Tabs.Tab>
            <Tabs.Tab value="files">{t.files}</Tabs.Tab>
          </Tabs.List>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it */}
          <section className={classes.panels} aria-label={t.details} tabIndex={0}>
            {isNarrow && (
              <Tabs.Panel value="transcript">
                <Transcript {...address} />
              </Tabs.Panel>
            )}
            <Tabs.Panel value="answers">
              <Entries
                none={t.noAnswers}
                entries={result.answers.map(({ name, blockId, content }) => [
                  name ?? blockId,
                  content,
                ])}
              />
            </Tabs.Panel>
            <Tabs.Panel value="variables">
              <Entries
                none={t.noVariables}
                entries={result.variables.map(({ name, value }) => [name, valueText(value)])}
              />
            </Tabs.Panel>
            <Tabs.Panel value="trace">
              <ResultTrace {...address} />
            </Tabs.Panel>
            <Tabs.Panel value="logs">
              <ResultLogs {...address} />
            </Tabs.Panel>
            <Tabs.Panel value="files">
              {files.length === 0 ? (
                <Text size="sm" c="dimmed">
                  {t.noFiles}
                </Text>
              ) : (
                files.map((url) => <FileButton key={url} url={url} />)
              )}
            </Tabs.Panel>
          </section>
        </Tabs>
      </div>
    </>
  )
}

function Transcript(address: { botId: string; resultId: string }) {
  const t = useTexts(texts)
  const { data, error } = useQuery(api.result.transcript.queryOptions(address))
  if (error) return <Problem error={error} />
  if (!data) return <Loader size="sm" />
  return (
    <>
      {data.reasons.length > 0 && (
        <Text size="xs" c="dimmed" mb="xs">
          {t.inexact} {data.reasons.join("; ")}.
        </Text>
      )}
      <ChatLines lines={data.lines ?? []} />
    </>
  )
}

/** Names and values, both shown as text. */
function Entries({ entries, none }: { entries: readonly [string, string][]; none: string }) {
  if (entries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    )
  }
  return (
    <dl className={classes.entries}>
      {entries.map(([name, value], place) => (
        <div key={place}>
          <dt dir="auto">{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Downloads a file from this service, also when the answer has another address. */
function FileButton({ url }: { url: string }) {
  const t = useTexts(texts)
  const [isLoading, setLoading] = useState(false)
  const name = nameOf(url)
  const download = async () => {
    setLoading(true)
    try {
      saveFile(await (await parley.downloadFile(url)).blob(), name)
    } catch (error) {
      reportProblem(error)
    }
    setLoading(false)
  }
  return (
    <Button
      variant="default"
      fullWidth
      justify="flex-start"
      mb="xs"
      loading={isLoading}
      leftSection={<Icon name="file" />}
      rightSection={<Icon name="download" size={16} />}
      aria-label={t.download(name)}
      onClick={() => void download()}
    >
      {name}
    </Button>
  )
}

function nameOf(url: string): string {
  const last = url.split(/[?#]/)[0]?.split("/").at(-1) ?? ""
  try {
    return decodeURIComponent(last) || url
  } catch {
    return last
  }
}

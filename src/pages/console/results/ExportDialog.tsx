/** Exports the results that pass the filter, and shows how far it is. */
import { Button, Group, Modal, Progress, Radio, Stack, Text } from "@mantine/core"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api, parley } from "../shell/api.ts"
import { reportProblem } from "../shell/notify.ts"
import { saveFile } from "../shell/saveFile.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useReturnedFocus } from "../shell/useReturnedFocus.ts"
import { useWriting } from "../shell/writing.ts"
import { filterOf, useBotId } from "./resultQueries.ts"
import type { ResultsSearch } from "./resultsSearch.ts"

const texts = defineTexts({
  en: {
    title: "Export results",
    what: "The results of the period and the filters that are set.",
    format: "Format",
    csv: "CSV: a table for spreadsheets, with the columns that are shown, in their order",
    ndjson: "JSON lines: everything, for programs",
    start: "Export",
    cancel: "Cancel",
    soFar: (size: string) => `${size} so far`,
    done: (size: string) => `Saved ${size}`,
    close: "Close",
    name: "results",
  },
  de: {
    title: "Ergebnisse exportieren",
    what: "Die Ergebnisse des Zeitraums und der gesetzten Filter.",
    format: "Format",
    csv: "CSV: eine Tabelle, mit den gezeigten Spalten in ihrer Reihenfolge",
    ndjson: "JSON-Zeilen: alles, für Programme",
    start: "Exportieren",
    cancel: "Abbrechen",
    soFar: (size: string) => `Bisher ${size}`,
    done: (size: string) => `${size} gespeichert`,
    close: "Schließen",
    name: "ergebnisse",
  },
})

type State = { step: "asking" | "running" | "done"; bytes: number }

export function ExportDialog({ search, onClose }: { search: ResultsSearch; onClose(): void }) {
  useReturnedFocus()
  const t = useTexts(texts)
  const writing = useWriting()
  const botId = useBotId()
  const { data } = useSuspenseQuery(api.bot.get.queryOptions({ botId }))
  const [format, setFormat] = useState<"csv" | "ndjson">("csv")
  const [{ step, bytes }, setState] = useState<State>({ step: "asking", bytes: 0 })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    running.current = new AbortController()
    const { signal } = running.current
    setState({ step: "running", bytes: 0 })
    try {
      const onProgress = (count: number) => setState({ step: "running", bytes: count })
      const request = { botId, format, ...filterOf(search) }
      const response = await parley.exportResults(request, { signal, onProgress })
      const file = await response.blob()
      saveFile(file, `${data.bot.name} ${t.name}.${format}`)
      setState({ step: "done", bytes: file.size })
    } catch (error) {
      if (signal.aborted) return
      setState({ step: "asking", bytes: 0 })
      reportProblem(error)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t.title} closeButtonProps={{ "aria-label": t.close }}>
      <Stack gap="md">
        {step === "asking" ? (
          <>
            <Text size="sm" c="dimmed">
              {t.what}
            </Text>
            <Radio.Group
              value={format}
              onChange={(value) => setFormat(value === "ndjson" ? value : "csv")}
              aria-label={t.format}
            >
              <Stack gap="xs">
                <Radio value="csv" label={t.csv} />
                <Radio value="ndjson" label={t.ndjson} />
              </Stack>
            </Radio.Group>
          </>
        ) : (
          <div role="status">
            <Progress value={100} animated={step === "running"} aria-label={t.title} />
            <Text size="sm" mt="xs">
              {step === "running" ? t.soFar(writing.bytes(bytes)) : t.done(writing.bytes(bytes))}
            </Text>
          </div>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {step === "done" ? t.close : t.cancel}
          </Button>
          {step === "asking" && <Button onClick={() => void start()}>{t.start}</Button>}
        </Group>
      </Stack>
    </Modal>
  )
}

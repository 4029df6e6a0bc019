/** What happened in a chat beside what was said, such as calls that failed. */
import { Loader, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { api } from "../shell/api.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./ResultTrace.module.css"

const texts = defineTexts({
  en: {
    none: "Nothing was logged.",
    cut: "There are more lines than can be shown.",
    statuses: { error: "Error", success: "Success", info: "Info" } as Record<string, string>,
  },
  de: {
    none: "Es wurde nichts protokolliert.",
    cut: "Es gibt mehr Zeilen, als hier gezeigt werden können.",
    statuses: { error: "Fehler", success: "Erfolg", info: "Info" },
  },
})

export function ResultLogs(address: { botId: string; resultId: string }) {
  const t = useTexts(texts)
  const writing = useWriting()
  const { data, error } = useQuery(api.result.listLogs.queryOptions(address))
  if (error) return <Problem error={error} />
  if (!data) return <Loader size="sm" />
  if (data.logs.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.none}
      </Text>
    )
  }
  return (
    <ol className={classes.list}>
      {data.logs.map(({ id, createdAt, status, description, context, details }) => (
        <li key={id} className={classes.turn} data-status={status}>
          <Text size="xs" c="dimmed">
            {writing.moment(createdAt)} · {t.statuses[status] ?? status}
            {context !== null && ` · ${context}`}
          </Text>
          <Text size="sm">{description}</Text>
          {details !== null && <pre className={classes.details}>{details}</pre>}
        </li>
      ))}
      {data.isCut && <li>{t.cut}</li>}
    </ol>
  )
}

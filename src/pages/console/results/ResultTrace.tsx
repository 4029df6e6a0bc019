/** What the bot did, turn by turn: blocks, variables, calls and errors. */
import { Code, Loader, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { api } from "../shell/api.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import classes from "./ResultTrace.module.css"
import { valueText } from "./tableColumns.ts"

const texts = defineTexts({
  en: {
    none: "Nothing is recorded.",
    untraced: "Some turns have no record of what the bot did in them.",
    cut: "The record of this turn was cut.",
    gone: "Deleted block",
    hidden: "not stored",
    took: (ms: string) => `${ms} ms`,
    failed: "no response",
  },
  de: {
    none: "Es ist nichts aufgezeichnet.",
    untraced: "Zu manchen Schritten ist nicht aufgezeichnet, was der Bot getan hat.",
    cut: "Die Aufzeichnung dieses Schritts wurde gekürzt.",
    gone: "Gelöschter Block",
    hidden: "nicht gespeichert",
    took: (ms: string) => `${ms} ms`,
    failed: "keine Antwort",
  },
})

export function ResultTrace(address: { botId: string; resultId: string }) {
  const t = useTexts(texts)
  const writing = useWriting()
  const { data, error } = useQuery(api.result.trace.queryOptions(address))
  if (error) return <Problem error={error} />
  if (!data) return <Loader size="sm" />
  if (data.turns.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t.none}
      </Text>
    )
  }
  return (
    <>
      {!data.isTraced && (
        <Text size="xs" c="dimmed" mb="sm">
          {t.untraced}
        </Text>
      )}
      <ol className={classes.list}>
        {data.turns.map(({ at, blocks, variables, calls, errors, isCut }, place) => (
          <li key={place} className={classes.turn}>
            <Text size="xs" c="dimmed">
              {writing.moment(at)}
            </Text>
            <ul className={classes.steps}>
              {blocks.map(({ blockId, type, groupTitle }, step) => (
                <li key={`block ${step}`}>
                  {type ?? t.gone}
                  <Text span c="dimmed" size="sm">
                    {` · ${groupTitle ?? blockId}`}
                  </Text>
                </li>
              ))}
              {variables.map(({ variableId, name, value }, step) => (
                <li key={`variable ${step}`}>
                  <Code>{name ?? variableId}</Code> ={" "}
                  {value === undefined ? (
                    <Text span c="dimmed" size="sm">
                      {t.hidden}
                    </Text>
                  ) : (
                    <bdi>{valueText(value)}</bdi>
                  )}
                </li>
              ))}
              {calls.map(({ kind, status, httpStatus, ms, model }, step) => (
                <li key={`call ${step}`}>
                  {[
                    kind,
                    model,
                    status === "failed" ? t.failed : httpStatus,
                    t.took(writing.number(ms)),
                  ]
                    .filter((part) => part !== undefined)
                    .join(" · ")}
                </li>
              ))}
              {errors.map(({ id, description }) => (
                <li key={id} className={classes.error}>
                  {description}
                </li>
              ))}
              {isCut && <li>{t.cut}</li>}
            </ul>
          </li>
        ))}
      </ol>
    </>
  )
}

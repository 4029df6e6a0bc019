/** What is wrong with a bot, the errors first. */
import { Text } from "@mantine/core"
import type { Outputs } from "../../shell/api.ts"
import { Icon } from "../../shell/Icon.tsx"
import { useTexts } from "../../shell/texts.ts"
import classes from "./dialogs.module.css"
import { dialogTexts } from "./dialogTexts.ts"

type Report = Outputs["bot"]["lint"]

const maxShown = 50

export function Findings({ report: { findings, errorCount, warningCount } }: { report: Report }) {
  const t = useTexts(dialogTexts)
  const total = errorCount + warningCount
  if (total === 0)
    return (
      <Text size="sm" className={classes.clean}>
        <Icon name="circle-check" /> {t.noFindings}
      </Text>
    )
  const ofSeverity = (wanted: string) => findings.filter(({ severity }) => severity === wanted)
  const shown = [...ofSeverity("error"), ...ofSeverity("warning")].slice(0, maxShown)
  const counts = [
    errorCount > 0 && t.errors(errorCount),
    warningCount > 0 && t.warnings(warningCount),
  ]
  return (
    <section aria-label={t.findings}>
      <Text size="sm" fw={600} mb="xs">
        {counts.filter(Boolean).join(", ")}
      </Text>
      <ul className={classes.findings}>
        {shown.map(({ pointer, rule, severity, place, message, remedy }) => (
          <li key={`${rule} ${pointer}`} data-severity={severity}>
            <span role="img" aria-label={t[severity]}>
              <Icon name={severity === "error" ? "circle-alert" : "triangle-alert"} />
            </span>
            <div>
              <p>{message}</p>
              <small>{[place, remedy].filter(Boolean).join(" · ")}</small>
            </div>
          </li>
        ))}
      </ul>
      {total > shown.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {t.moreFindings(total - shown.length)}
        </Text>
      )}
    </section>
  )
}

/** What the linter finds, each with what to do about it; a click leads to the block. */
import { Center, Skeleton, Stack, Text, UnstyledButton } from "@mantine/core"
import { Icon } from "../../shell/Icon.tsx"
import { defineTexts, useTexts } from "../../shell/texts.ts"
import { useSelected } from "../editing.ts"
import { PanelHead } from "./PanelHead.tsx"
import classes from "./SidePanel.module.css"
import { type Finding, useFindings } from "./useFindings.ts"

const texts = defineTexts({
  en: {
    help: "What would go wrong in chats. Errors keep the bot from being published.",
    none: "Nothing to mend.",
    error: "Error",
    warning: "Warning",
  },
  de: {
    help: "Was in Chats schiefginge. Fehler verhindern das Veröffentlichen.",
    none: "Nichts zu beheben.",
    error: "Fehler",
    warning: "Warnung",
  },
})

export function FindingsPanel() {
  const t = useTexts(texts)
  const { findings, isChecked } = useFindings()
  const sorted = findings.toSorted((one, other) => one.severity.localeCompare(other.severity))
  return (
    <div className={classes.content}>
      <PanelHead name="findings" help={t.help} />
      {!isChecked && <Skeleton height={64} />}
      {isChecked && findings.length === 0 && (
        <Center py="xl">
          <Stack align="center" gap="xs" c="dimmed">
            <Icon name="circle-check" size={28} />
            <Text size="sm">{t.none}</Text>
          </Stack>
        </Center>
      )}
      <Stack gap={4} component="ul" className={classes.list}>
        {sorted.map((finding) => (
          <FindingRow key={finding.rule + finding.pointer} finding={finding} />
        ))}
      </Stack>
    </div>
  )
}

function FindingRow({ finding }: { finding: Finding }) {
  const t = useTexts(texts)
  const { select, ...selected } = useSelected()
  const { blockId, severity, place, message, remedy } = finding
  const isError = severity === "error"
  const content = (
    <>
      <span
        role="img"
        aria-label={isError ? t.error : t.warning}
        className={classes.severity}
        data-error={isError || undefined}
      >
        <Icon name={isError ? "circle-alert" : "triangle-alert"} size={16} />
      </span>
      <span>
        <Text size="xs" c="dimmed">
          {place}
        </Text>
        <Text size="sm">{message}</Text>
        <Text size="sm" c="dimmed">
          {remedy}
        </Text>
      </span>
    </>
  )
  return (
    <li>
      {blockId === undefined ? (
        <div className={classes.entry}>{content}</div>
      ) : (
        <UnstyledButton
          className={classes.entry}
          onClick={() => select({ ...selected, block: blockId })}
        >
          {content}
        </UnstyledButton>
      )}
    </li>
  )
}

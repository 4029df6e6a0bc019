/** What two states of a bot differ in, in words: place by place. */
import { Badge, Group, Stack, Text } from "@mantine/core"
import type { Outputs } from "../shell/api.ts"
import { defineTexts, useTexts } from "../shell/texts.ts"
import classes from "./ChangesList.module.css"

export type FlowChange = NonNullable<Outputs["version"]["diff"]["changes"]>[number]

/** Kinds of changes. */
export const changeKinds = defineTexts({
  en: {
    added: "Added",
    removed: "Removed",
    changed: "Changed",
    moved: "Moved",
    rewired: "Leads elsewhere",
  },
  de: {
    added: "Neu",
    removed: "Entfernt",
    changed: "Geändert",
    moved: "Verschoben",
    rewired: "Führt woandershin",
  },
})

const texts = defineTexts({
  en: {
    none: "Nothing has changed.",
    nothing: "nothing",
  },
  de: {
    none: "Nichts hat sich geändert.",
    nothing: "nichts",
  },
})

const colors = {
  added: "green",
  removed: "red",
  changed: "accent",
  moved: "gray",
  rewired: "orange",
} as const

/** Longer values are cut: a page of HTML is no help here. */
const maxShown = 200

export function ChangesList({ changes }: { changes: readonly FlowChange[] }) {
  const t = useTexts(texts)
  const kinds = useTexts(changeKinds)
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.none}
      </Text>
    )
  return (
    <Stack component="ul" gap={0} className={classes.list}>
      {changes.map((change) => (
        <li key={`${change.what} ${change.id} ${change.path} ${change.kind}`}>
          <Group gap="xs" wrap="nowrap" align="baseline">
            <Badge size="sm" color={colors[change.kind as keyof typeof colors] ?? "gray"}>
              {kinds[change.kind] ?? change.kind}
            </Badge>
            <Text size="sm" fw={500}>
              {change.place}
            </Text>
            {change.label && (
              <Text size="sm" c="dimmed">
                {change.label}
              </Text>
            )}
          </Group>
          {change.kind === "changed" && (
            <div className={classes.values}>
              <del>{shown(change.before) ?? t.nothing}</del>
              <ins>{shown(change.after) ?? t.nothing}</ins>
            </div>
          )}
        </li>
      ))}
    </Stack>
  )
}

function shown(value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined
  const text = typeof value === "string" ? value : JSON.stringify(value)
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
}

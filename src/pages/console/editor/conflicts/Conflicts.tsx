/** Asks whose change is kept, one conflict after the other; everything else can be gone on with meanwhile. */
import { Button, Group, Paper, Text } from "@mantine/core"
import type { DraftConflict } from "@parley/client/draft"
import { useTexts } from "../../shell/texts.ts"
import { useEditing } from "../editing.ts"
import classes from "./Conflicts.module.css"
import { conflictTexts } from "./conflictTexts.ts"
import { useConflictWords } from "./conflictWords.ts"

export function Conflicts() {
  const t = useTexts(conflictTexts)
  const { conflicts } = useEditing()
  const [first, ...others] = conflicts
  if (first === undefined) return null
  return (
    <Paper
      component="section"
      className={classes.conflicts}
      aria-label={t.conflicts}
      withBorder
      shadow="lg"
      p="md"
    >
      <Question key={[first.element, ...first.path].join("/")} conflict={first} />
      {others.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          {t.more(others.length)}
        </Text>
      )}
    </Paper>
  )
}

function Question({ conflict }: { conflict: DraftConflict }) {
  const t = useTexts(conflictTexts)
  const { decide } = useEditing()
  const { what, who, mine, theirs } = useConflictWords()(conflict)
  const isEdge = conflict.element.startsWith("edge:")
  const isRemoval = conflict.path.length === 0 && conflict.element.includes(":") && !isEdge
  const kind = !isRemoval ? "both" : conflict.mine === undefined ? "youRemoved" : "theyRemoved"
  const answers = {
    both: [t.useMine, t.keepTheirs],
    youRemoved: [t.remove, t.keep],
    theyRemoved: [t.putBack, t.leaveRemoved],
  }[kind]
  return (
    <>
      <Text size="sm" fw={500} role="alert">
        {t[kind](who, what)}
      </Text>
      {kind === "both" && (
        <dl className={classes.values}>
          <Version name={t.yours} value={mine} />
          <Version name={t.theirs(who)} value={theirs} />
        </dl>
      )}
      <Group gap="xs" mt="sm">
        <Button size="xs" onClick={() => decide(conflict, "mine")}>
          {answers[0]}
        </Button>
        <Button size="xs" variant="default" onClick={() => decide(conflict, "theirs")}>
          {answers[1]}
        </Button>
      </Group>
    </>
  )
}

function Version({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd dir="auto">{value}</dd>
    </div>
  )
}

/** Two states of a bot in one drawing, and what has changed at the element that is chosen. */
import { Skeleton, Stack, Text } from "@mantine/core"
import { Suspense, useCallback, useMemo, useState } from "react"
import { lazily } from "../shell/lazily.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import classes from "./ChangesList.module.css"
import { ChangesList, changeKinds, type FlowChange } from "./ChangesList.tsx"
import { marksOf, type Place, placesOfChange } from "./changeMarks.ts"
import { mergeFlows } from "./mergeFlows.ts"
import { useFlowOf } from "./useFlowOf.ts"

const FlowView = lazily(() => import("../editor/canvas/FlowView.tsx").then((it) => it.FlowView))

const texts = defineTexts({
  en: {
    hint: "Press a marked element to see what has changed there.",
    same: "Nothing has changed there.",
    beside: "Beside the flow",
  },
  de: {
    hint: "Drück auf ein markiertes Element, um zu sehen, was sich dort geändert hat.",
    same: "Dort hat sich nichts geändert.",
    beside: "Neben dem Ablauf",
  },
})

type Props = { botId: string; from: string; to: string; changes: readonly FlowChange[] }

export function FlowComparison({ botId, from, to, changes }: Props) {
  const t = useTexts(texts)
  const kinds = useTexts(changeKinds)
  const { flow: older, error: lost } = useFlowOf(botId, from)
  const { flow: newer, error } = useFlowOf(botId, to)
  const [chosen, setChosen] = useState<Place>()
  const flows = useMemo(() => older && newer && { older, newer }, [older, newer])
  const merged = useMemo(() => flows && mergeFlows(flows.older, flows.newer), [flows])
  const marks = useMemo(() => flows && marksOf(changes, flows, kinds), [changes, flows, kinds])
  const choose = useCallback((kind: Place["kind"], id: string) => setChosen({ kind, id }), [])
  if (lost || error) return <Problem error={lost ?? error} />
  if (!flows || !merged || !marks) return <Skeleton height="60vh" />
  const placed = changes.map((change) => ({ change, places: placesOfChange(change, flows) }))
  const here = placed.filter(({ places }) =>
    places.some(({ kind, id }) => kind === chosen?.kind && id === chosen.id),
  )
  const beside = placed.filter(({ places }) => places.length === 0)
  return (
    <Stack gap="sm">
      <div className={classes.canvas}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <FlowView flow={merged} marks={marks} onChoose={choose} />
        </Suspense>
      </div>
      <div aria-live="polite">
        {here.length > 0 ? (
          <ChangesList changes={here.map(({ change }) => change)} />
        ) : (
          <Text size="sm" c="dimmed">
            {chosen ? t.same : t.hint}
          </Text>
        )}
      </div>
      {beside.length > 0 && (
        <section aria-label={t.beside}>
          <Text size="sm" fw={600} mt="xs">
            {t.beside}
          </Text>
          <ChangesList changes={beside.map(({ change }) => change)} />
        </section>
      )}
    </Stack>
  )
}

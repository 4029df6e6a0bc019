/** The flow with the people who passed its edges, and those who left at its questions. */
import { Group, Skeleton, Stack, Text } from "@mantine/core"
import { useSuspenseQuery } from "@tanstack/react-query"
import { Suspense, useMemo } from "react"
import type { Mark, Marks } from "../editor/canvas/marks.ts"
import { api, type Outputs } from "../shell/api.ts"
import { lazily } from "../shell/lazily.ts"
import { Problem } from "../shell/Problem.tsx"
import { defineTexts, useTexts } from "../shell/texts.ts"
import { useWriting } from "../shell/writing.ts"
import { useFlowOf } from "../versions/useFlowOf.ts"
import classes from "./AnalyticsPage.module.css"

const FlowView = lazily(() => import("../editor/canvas/FlowView.tsx").then((it) => it.FlowView))

const texts = defineTexts({
  en: {
    passed: (count: string) => `${count} went this way`,
    left: (count: string, shown: string) => `${count} of ${shown} left here`,
    ways: "How many went this way",
    leaving: "How many left at a question",
  },
  de: {
    passed: (count: string) => `${count} gingen diesen Weg`,
    left: (count: string, shown: string) => `${count} von ${shown} gingen hier`,
    ways: "Wie viele diesen Weg gingen",
    leaving: "Wie viele bei einer Frage gingen",
  },
})

type Counted = Pick<Outputs["result"]["analytics"], "blocks" | "edges">

/** In pixels: of an edge that hardly anyone took, and of the one that most took. */
const widths = [1.5, 6] as const

type Props = { botId: string; version: number | undefined; counts: Counted }

export function Traffic({ botId, version, counts }: Props) {
  const t = useTexts(texts)
  const writing = useWriting()
  const { data: live } = useSuspenseQuery(api.publishedBot.get.queryOptions({ botId }))
  const side = version?.toString() ?? (live.publishedBot ? "live" : "draft")
  const { flow, error } = useFlowOf(botId, side)
  const marks = useMemo((): Marks => {
    // Linked bots have flows of their own.
    const passed = counts.edges.filter((edge) => edge.botId === undefined)
    const most = Math.max(1, ...passed.map(({ count }) => count))
    const edges = passed.map(({ edgeId, count }): [string, Mark] => {
      const sign = writing.number(count)
      const width = widths[0] + (widths[1] - widths[0]) * (count / most)
      return [edgeId, { look: "people", sign, words: t.passed(sign), width }]
    })
    const elements = counts.blocks
      .filter((block) => block.botId === undefined && block.dropped > 0)
      .map(({ blockId, dropped, shown }): [string, Mark] => {
        const sign = writing.number(dropped)
        return [blockId, { look: "left", sign, words: t.left(sign, writing.number(shown)) }]
      })
    return { edges: new Map(edges), elements: new Map(elements) }
  }, [counts, t, writing])
  if (error) return <Problem error={error} />
  return (
    <Stack gap="xs">
      <Group gap="lg" className={classes.trafficLegend}>
        <Text size="xs" c="dimmed" data-look="people">
          {t.ways}
        </Text>
        <Text size="xs" c="dimmed" data-look="left">
          {t.leaving}
        </Text>
      </Group>
      <div className={classes.traffic}>
        {flow ? (
          <Suspense fallback={<Skeleton height="100%" />}>
            <FlowView key={side} flow={flow} marks={marks} />
          </Suspense>
        ) : (
          <Skeleton height="100%" />
        )}
      </div>
    </Stack>
  )
}

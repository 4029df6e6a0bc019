/** What the linter finds in the draft, checked again whenever it has been saved. */
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { type Outputs, parley } from "../../shell/api.ts"
import { type Bot, useEditing } from "../editing.ts"

export type Finding = Outputs["bot"]["lint"]["findings"][number] & {
  /** Id of the block or event that it concerns, or whose edge; absent: it concerns more than one, or the bot itself. */
  blockId?: string
  /** What it concerns on the canvas, such as `group:ID`; absent: nothing that is drawn. */
  element?: string
}

const pauseMs = 1_500

/** Every caller reads the same check. */
export function useFindings(): { findings: readonly Finding[]; isChecked: boolean } {
  const { botId, bot, isSaved } = useEditing()
  const [revision] = useDebouncedValue(bot.revision, pauseMs)
  const { data } = useQuery({
    queryKey: ["findings", botId, revision],
    // A check changes nothing, though its size makes it a POST.
    queryFn: () => parley.bot.lint.mutate({ botId }),
    enabled: isSaved,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  // Pointers are into the draft that was checked: places are found once, before others move them.
  const findings = useMemo(
    () =>
      (data?.findings ?? []).map((finding) => ({ ...finding, ...placeOf(bot, finding.pointer) })),
    [data],
  )
  return { findings, isChecked: data !== undefined }
}

function placeOf(bot: Bot, pointer: string): Pick<Finding, "blockId" | "element"> {
  const [, list, index, part, at] = pointer.split("/")
  if (list === "events") {
    const event = bot.events?.[Number(index)]
    return event ? { blockId: event.id, element: `event:${event.id}` } : {}
  }
  if (list === "edges") {
    const edge = bot.edges[Number(index)]
    const blockId = edge?.from.blockId ?? edge?.from.eventId
    return edge ? { element: `edge:${edge.id}`, ...(blockId && { blockId }) } : {}
  }
  const group = list === "groups" ? bot.groups[Number(index)] : undefined
  if (group === undefined) return {}
  const block = part === "blocks" ? group.blocks[Number(at)] : undefined
  return block
    ? { blockId: block.id, element: `block:${block.id}` }
    : { element: `group:${group.id}` }
}

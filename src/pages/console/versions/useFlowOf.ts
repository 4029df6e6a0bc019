/** Reads one state of a bot: its draft, what is live, or a version. */
import { useQuery } from "@tanstack/react-query"
import type { ViewedFlow } from "../editor/canvas/FlowView.tsx"
import { api } from "../shell/api.ts"

/** `side`: `draft`, `live` or the number of a version; undefined: it is not read yet. */
export function useFlowOf(
  botId: string,
  side: string,
): { flow: ViewedFlow | undefined; error: unknown } {
  const number = Number(side)
  const draft = useQuery({ ...api.bot.get.queryOptions({ botId }), enabled: side === "draft" })
  const live = useQuery({
    ...api.publishedBot.get.queryOptions({ botId }),
    enabled: side === "live",
  })
  const version = useQuery({
    ...api.version.get.queryOptions({ botId, number }),
    enabled: Number.isInteger(number),
  })
  if (side === "draft") return { flow: draft.data?.bot, error: draft.error }
  if (side === "live") return { flow: live.data?.publishedBot ?? undefined, error: live.error }
  return { flow: version.data?.version.bot, error: version.error }
}

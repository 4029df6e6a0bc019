/** Shows others at which element this author is. */
import { useDebouncedValue } from "@mantine/hooks"
import { useEffect } from "react"
import { parley } from "../../shell/api.ts"

const settleMs = 300

export function usePresence(botId: string, focus: string | undefined): void {
  const [settled] = useDebouncedValue(focus, settleMs)
  useEffect(() => {
    // Guests of a shared bot are not shown to others, which is no fault.
    parley.bot.setPresence
      .mutate({ botId, ...(settled && { focus: settled }) })
      .catch(() => undefined)
  }, [botId, settled])
}

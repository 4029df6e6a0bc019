/** Results of a bot. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/bots/$botId/results")({ component: ResultsPage })

function ResultsPage() {
  return null
}

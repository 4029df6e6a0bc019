/** Analytics of a bot. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/bots/$botId/analytics")({ component: AnalyticsPage })

function AnalyticsPage() {
  return null
}

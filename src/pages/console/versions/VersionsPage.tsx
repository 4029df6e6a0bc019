/** Versions of a bot. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/bots/$botId/versions")({ component: VersionsPage })

function VersionsPage() {
  return null
}

/** Publishing and sharing of a bot. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/bots/$botId/share")({ component: SharePage })

function SharePage() {
  return null
}

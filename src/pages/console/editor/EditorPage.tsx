/** The editor of a bot. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/bots/$botId/")({ component: EditorPage })

function EditorPage() {
  return null
}

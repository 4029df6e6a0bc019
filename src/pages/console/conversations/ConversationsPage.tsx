/** Conversations of a bot. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/bots/$botId/conversations")({ component: ConversationsPage })

function ConversationsPage() {
  return null
}

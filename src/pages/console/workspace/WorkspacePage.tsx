/** A workspace: who is in it, and what it has. */
import { createLazyRoute } from "@tanstack/react-router"

export const Route = createLazyRoute("/home/workspace")({ component: WorkspacePage })

function WorkspacePage() {
  return null
}

/** The route above all others. */
import { createRootRoute, Outlet, retainSearchParams } from "@tanstack/react-router"
import { NotFound } from "./NotFound.tsx"

/** Search parameters of every view. */
type Place = {
  /** Id of the workspace; absent: the first of the user's. */
  workspace?: string
}

export const rootRoute = createRootRoute({
  validateSearch: ({ workspace }: Record<string, unknown>): Place =>
    typeof workspace === "string" ? { workspace } : {},
  search: { middlewares: [retainSearchParams(["workspace"])] },
  component: Outlet,
  notFoundComponent: NotFound,
})

/** The workspace that the address names, or the first of the user's. */
import { useSuspenseQuery } from "@tanstack/react-query"
import { useSearch } from "@tanstack/react-router"
import { api, type Outputs } from "./api.ts"

export type ListedWorkspace = Outputs["workspace"]["list"]["workspaces"][number]

/** All workspaces of the user, and the one at hand; undefined: the user has none. */
export function useWorkspaces(): { all: ListedWorkspace[]; current: ListedWorkspace | undefined } {
  const { workspace } = useSearch({ strict: false })
  const { data } = useSuspenseQuery(api.workspace.list.queryOptions())
  const all = data.workspaces
  return { all, current: all.find(({ id }) => id === workspace) ?? all[0] }
}

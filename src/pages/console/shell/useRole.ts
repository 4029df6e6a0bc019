/** The role of the user in the workspace of a bot: people may be let into single bots of workspaces of others. */
import { useQuery } from "@tanstack/react-query"
import { api } from "./api.ts"
import type { ListedWorkspace } from "./useWorkspace.ts"

/** The role of the user in a workspace; undefined: none, or it is still read. */
export function useRole(workspaceId: string): ListedWorkspace["role"] | undefined {
  const { data } = useQuery(api.workspace.list.queryOptions())
  return data?.workspaces.find(({ id }) => id === workspaceId)?.role
}

/** Whether the user works on all bots of a workspace, with what they share. */
export function useIsTeam(workspaceId: string): boolean {
  const role = useRole(workspaceId)
  return role === "ADMIN" || role === "MEMBER"
}

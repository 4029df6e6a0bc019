/** What operators see of workspaces and bots. */
import type { Inputs, Outputs } from "../shell/api.ts"

export type OperatedWorkspace = Outputs["operator"]["listWorkspaces"]["workspaces"][number]
export type OperatedBot = Outputs["operator"]["listBots"]["bots"][number]

/** What an operator decides about a workspace. */
export type WorkspaceDecision = Omit<Inputs["operator"]["updateWorkspace"], "workspaceId">

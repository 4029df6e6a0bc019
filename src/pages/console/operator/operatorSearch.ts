/** What the address of the operator's pages says: the part, what is searched and filtered, and what is open. */
import type { Inputs } from "../shell/api.ts"

export const operatorParts = ["workspaces", "bots", "users", "decisions"] as const

export type OperatorPart = (typeof operatorParts)[number]

export type Plan = NonNullable<Inputs["operator"]["listWorkspaces"]["plan"]>
export type WorkspaceState = NonNullable<Inputs["operator"]["listWorkspaces"]["state"]>
export type BotState = NonNullable<Inputs["operator"]["listBots"]["state"]>

export const plans: readonly Plan[] = [
  "FREE",
  "STARTER",
  "PRO",
  "LIFETIME",
  "OFFERED",
  "CUSTOM",
  "UNLIMITED",
  "ENTERPRISE",
]
export const workspaceStates: readonly WorkspaceState[] = [
  "open",
  "pastDue",
  "suspended",
  "closed",
  "atRisk",
]
export const botStates: readonly BotState[] = ["atRisk", "closed"]

export type OperatorSearch = {
  /** Absent: the first of `operatorParts`. */
  part?: OperatorPart
  q?: string
  plan?: Plan
  /** Of the workspaces, or of the bots. */
  state?: WorkspaceState
  /** Id of the workspace that is open. */
  about?: string
}

const maxSearchLength = 255

export function readOperatorSearch(search: Record<string, unknown>): OperatorSearch {
  const { q, about } = search
  const part = operatorParts.find((each) => each === search.part)
  const plan = plans.find((each) => each === search.plan)
  const state = workspaceStates.find((each) => each === search.state)
  const words = ["string", "number"].includes(typeof q) ? String(q).slice(0, maxSearchLength) : ""
  return {
    ...(part && { part }),
    ...(words.trim() !== "" && { q: words }),
    ...(plan && { plan }),
    ...(state && { state }),
    ...(typeof about === "string" && about !== "" && { about }),
  }
}

/** Variables of the workspace, which texts name with a dollar sign: `{{$shopUrl}}`. */
import type { Scope } from "./interpolate.ts"

/** A variable of the workspace during one turn. */
export type WorkspaceVariable = {
  /** Its value where it is shown, compared or stored; of a secret `•••`. */
  shown: string
  /** Its value in calls; of a secret a mark, which the service replaces when it sends the call. */
  sent: string
}

/** By their names without the dollar sign. */
export type WorkspaceVariables = { get(name: string): WorkspaceVariable | undefined }

/** The scope for a part of a call that leaves the service: secrets of the workspace are marks in it. */
export function forCalls<S extends Scope>(scope: S): S {
  const variables = scope.variables.forCalls()
  return variables === scope.variables ? scope : { ...scope, variables }
}

/** Whether a text in a flow, or in a part of one, names a variable of the workspace. */
export function namesWorkspaceVariable(part: unknown): boolean {
  if (typeof part === "string") return part.includes("{{$")
  return (
    typeof part === "object" && part !== null && Object.values(part).some(namesWorkspaceVariable)
  )
}

/** The name of a variable of the workspace in a token; undefined: it is one of the bot. */
export function workspaceName(token: string): string | undefined {
  return token.startsWith("$") ? token.slice(1) : undefined
}

/** Tells whether an author alone decides on the host of an address: secrets of the workspace go nowhere else. */
import { type Scope, templateOf } from "./interpolate.ts"
import { workspaceName } from "./workspaceVariables.ts"

/**
 * Whether no variable of the bot and no code is in the scheme and the host of an address, which a visitor could
 * choose with them. Variables of the workspace may be. `variables`: those that fill it in; absent: unknown.
 */
export function hasFixedHost(address: string, variables?: Scope["variables"]): boolean {
  let known = ""
  for (const part of templateOf(address.trimStart())) {
    if (isPastHost.test(known)) return true
    if (typeof part === "string") known += part
    else if ("name" in part && isOfWorkspace(part.name, variables)) {
      known += variables ? `${variables.named(part.name)?.value ?? ""}` : unknownValue
    } else return false
  }
  return true
}

/** Anything else after the scheme, such as a third slash, lets what follows name the host. */
const isPastHost = /^(?:https?:\/\/[^/?#\\\s]+|•••[^/?#\\\s]*)[/?#]/i

/** Stands for values that are not known: those of secrets are shown so, too. */
const unknownValue = "•••"

function isOfWorkspace(token: string, variables: Scope["variables"] | undefined): boolean {
  if (workspaceName(token) === undefined) return false
  const variable = variables?.named(token)
  return variable === undefined || variables?.definition(variable.id) === undefined
}

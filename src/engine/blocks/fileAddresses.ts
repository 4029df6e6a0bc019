/** Addresses of files that a variable holds. */
import type { Variables } from "../variables/reading.ts"

/** A list as it is, a text split at `, `; empty when there is no such variable or value. */
export function fileAddresses(variableId: string | undefined, variables: Variables): string[] {
  const value = variableId === undefined ? undefined : variables.value(variableId)
  const addresses = typeof value === "string" ? value.split(", ") : (value ?? [])
  return addresses.filter((address): address is string => Boolean(address))
}

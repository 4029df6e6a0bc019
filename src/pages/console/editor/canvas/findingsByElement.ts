/** What the linter found, by the ids of the elements that it concerns. */

export type Finding = { severity: "error" | "warning"; message: string }

export type Findings = ReadonlyMap<string, readonly Finding[]>

const none: Findings = new Map()

export function useFindingsByElement(): Findings {
  return none
}

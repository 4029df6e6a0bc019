/** What the linter found, by the ids of the elements that it concerns. */
import { useMemo } from "react"
import { useFindings } from "../panels/useFindings.ts"

export type Finding = { severity: "error" | "warning"; message: string }

export type Findings = ReadonlyMap<string, readonly Finding[]>

export function useFindingsByElement(): Findings {
  const { findings } = useFindings()
  return useMemo(() => {
    const found = new Map<string, Finding[]>()
    for (const finding of findings) {
      const id = finding.blockId ?? finding.groupId
      if (id !== undefined) found.set(id, [...(found.get(id) ?? []), finding])
    }
    return found
  }, [findings])
}

/** What the linter found, by the elements that it concerns, such as `group:ID`. */
import { useMemo } from "react"
import { useFindings } from "../panels/useFindings.ts"

export type Finding = { severity: "error" | "warning"; message: string }

export type Findings = ReadonlyMap<string, readonly Finding[]>

export function useFindingsByElement(): Findings {
  const { findings } = useFindings()
  return useMemo(() => {
    const found = new Map<string, Finding[]>()
    for (const finding of findings) {
      const { element } = finding
      if (element !== undefined) found.set(element, [...(found.get(element) ?? []), finding])
    }
    return found
  }, [findings])
}

/** Which states the view compares and how, as its address has it. */

export type VersionsSearch = {
  from?: string
  to?: string
  /** Absent: in words. */
  view?: "canvas" | undefined
}

export function readVersionsSearch({ from, to, view }: Record<string, unknown>): VersionsSearch {
  return {
    ...(from !== undefined && { from: String(from) }),
    ...(to !== undefined && { to: String(to) }),
    ...(view === "canvas" && { view }),
  }
}

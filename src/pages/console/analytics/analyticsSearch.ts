/** Which chats the view counts, as its address has it. */
import { type PeriodSearch, readPeriod, readVersion } from "../results/resultsSearch.ts"

export type AnalyticsSearch = PeriodSearch & {
  version?: number
  /** Absent: as figures and tables. */
  view?: "canvas"
}

export function readAnalyticsSearch(sent: Record<string, unknown>): AnalyticsSearch {
  return {
    ...readPeriod(sent),
    ...readVersion(sent),
    ...(sent.view === "canvas" && { view: sent.view }),
  }
}

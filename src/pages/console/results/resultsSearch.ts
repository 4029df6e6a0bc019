/** Which results the view shows, as its address has it. */

/** Periods by name, as the API has them. */
export const periods = [
  "today",
  "last7Days",
  "last30Days",
  "monthToDate",
  "lastMonth",
  "yearToDate",
  "allTime",
] as const

export type Period = (typeof periods)[number]

/** The period when the address names none. */
export const usualPeriod: Period = "last30Days"

/** A period by name, or by its first and last day; absent: the usual one. */
export type PeriodSearch = { timeFilter?: Period; from?: string; to?: string }

export type ResultsSearch = PeriodSearch & {
  status?: "completed" | "partial"
  version?: number
  conversationKey?: string
  search?: string
  /** Id of the result that is open. */
  result?: string
}

const maxSearchLength = 200
const maxKeyLength = 255
const dayPattern = /^\d{4}-\d\d-\d\d$/

export function readPeriod({ timeFilter, from, to }: Record<string, unknown>): PeriodSearch {
  const named = periods.find((each) => each === timeFilter)
  if (named) return { timeFilter: named }
  return {
    ...(typeof from === "string" && dayPattern.test(from) && { from }),
    ...(typeof to === "string" && dayPattern.test(to) && { to }),
  }
}

export function readVersion({ version }: Record<string, unknown>): { version?: number } {
  const isVersion = typeof version === "number" && Number.isInteger(version) && version > 0
  return isVersion ? { version } : {}
}

export function readResultsSearch(sent: Record<string, unknown>): ResultsSearch {
  const { status, conversationKey, search, result } = sent
  const textOf = (value: unknown, longest: number) =>
    ["string", "number"].includes(typeof value) ? String(value).slice(0, longest) : ""
  const found = textOf(search, maxSearchLength)
  const key = textOf(conversationKey, maxKeyLength)
  return {
    ...readPeriod(sent),
    ...readVersion(sent),
    ...((status === "completed" || status === "partial") && { status }),
    ...(key !== "" && { conversationKey: key }),
    ...(found !== "" && { search: found }),
    ...(typeof result === "string" && { result }),
  }
}

/** The members of requests that a period means, in days of the browser's time zone. */
export function spanOf({ timeFilter, from, to }: PeriodSearch) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  if (from === undefined && to === undefined) {
    return { timeZone, timeFilter: timeFilter ?? usualPeriod }
  }
  return { timeZone, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

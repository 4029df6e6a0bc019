/** The period that a request covers. */
import { z } from "zod"
import { timeFilters } from "../../results/days.ts"

/** The spans that results can be filtered by. */
export const timeFilterSchema = z
  .enum(timeFilters)
  .meta({ id: "TimeFilter", description: "Period in days, including today" })

/** The zone in which days are counted. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .describe("IANA time zone in which days are counted, for example `Europe/Berlin`")

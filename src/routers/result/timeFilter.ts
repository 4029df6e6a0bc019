/** The days that requests look at. */
import { z } from "zod"
import { timeFilters } from "../../results/days.ts"

/** The spans that results can be filtered by. */
export const timeFilterSchema = z
  .enum(timeFilters)
  .meta({ id: "TimeFilter", description: "Which days to look at, today included" })

/** The zone in which days are counted. */
export const timeZoneSchema = z
  .string()
  .max(64)
  .describe("IANA time zone in which days are counted, for example `Europe/Berlin`")

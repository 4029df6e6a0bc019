/** The period that a request covers. */
import { z } from "zod"
import { badRequest } from "../../errors.ts"
import { type Span, spanBetween, spanOf, timeFilters } from "../../results/days.ts"

const momentSchema = z
  .string()
  .max(40)
  .refine(
    (bound) =>
      [z.iso.date(), z.iso.datetime({ offset: true })].some(
        (each) => each.safeParse(bound).success,
      ),
    "must be a day such as 2026-03-01 or a time such as 2026-03-01T10:00:00Z",
  )

/** The members of requests that name a period. */
export const spanMembers = {
  timeFilter: z
    .enum(timeFilters)
    .meta({ id: "TimeFilter", description: "Period in days, including today" })
    .optional()
    .describe(
      "Period in days, including today; absent: `last7Days`, unless `from` or `to` is given",
    ),
  from: momentSchema
    .optional()
    .describe(
      "Only chats that started on this day (`2026-03-01`) or at this time (ISO 8601), or later",
    ),
  to: momentSchema
    .optional()
    .describe("Only chats that started on this day or earlier, or before this time"),
  timeZone: z
    .string()
    .max(64)
    .default("UTC")
    .describe("IANA time zone in which days are counted, for example `Europe/Berlin`"),
}

const spanSchema = z.object(spanMembers)

/** The period of a request. Throws a 400 when its zone, or the period, makes no sense. */
export function spanAsked(
  { timeFilter, from, to, timeZone }: z.infer<typeof spanSchema>,
  nowMs: number,
): Span {
  if (from === undefined && to === undefined) {
    return spanOf(timeFilter ?? "last7Days", timeZone, nowMs)
  }
  if (timeFilter === undefined) return spanBetween({ from, to }, timeZone)
  throw badRequest("Send `timeFilter`, or `from` and `to`, but not both", [
    { message: "Given with `from` or `to`", path: ["timeFilter"], code: "custom" },
  ])
}

/** Asks for a date or a range of dates, in words or figures. */
import { judgingUnits, spend } from "../../../budget/fuel.ts"
import { interpolate } from "../../../variables/interpolate.ts"
import type { Scope } from "../../../variables/scope.ts"
import { askPrefilled, typedInput } from "../asking.ts"
import { formatDate } from "../formatDate.ts"
import { type NaturalDate, readNaturalDate } from "../naturalDate.ts"
import { type DateInputBlock, dateInputBlockSchema } from "./schema.ts"

/** The type `date input`. */
export const dateInputBlock = typedInput(dateInputBlockSchema, {
  replyName: "date",
  ask: (block, context) => {
    const asked = askPrefilled(block, context)
    if (!asked.options) return asked
    const { min: _min, max: _max, ...rest } = asked.options
    return { ...asked, options: { ...rest, ...boundsOf(block.options, context) } }
  },
  accept: (typed, { options }, context) => {
    const format = formatOf(options, context)
    spend(context.fuel, 24 * judgingUnits(format))
    const isDayFirst = format.startsWith("dd")
    const found = readNaturalDate(typed, { isDayFirst, now: context.world.now() })
    const dates = found && datesOf(found, options?.isRange)
    if (!dates || !areWithin(dates, boundsOf(options, context))) return undefined
    const separator = interpolate(options?.labels?.separator, context) || "to"
    return dates.map((date) => formatDate(date, format)).join(` ${separator} `)
  },
})

type Options = DateInputBlock["options"]

function formatOf(options: Options, scope: Scope): string {
  const fallback = options?.hasTime ? "dd/MM/yyyy HH:mm" : "dd/MM/yyyy"
  return interpolate(options?.format, scope) || fallback
}

/** Both dates of a range, undefined when one is missing; else the one date. */
function datesOf(found: NaturalDate, isRange: boolean | undefined): number[] | undefined {
  if (!isRange) return [found.start]
  return found.end === undefined ? undefined : [found.start, found.end]
}

type Bounds = { min?: string; max?: string }

/** The bounds as the client takes them; empty ones are left out. */
function boundsOf(options: Options, scope: Scope): Bounds {
  const min = boundOf(options?.min, options?.hasTime, scope)
  const max = boundOf(options?.max, options?.hasTime, scope)
  return { ...(min && { min }), ...(max && { max }) }
}

/** Of a date-time, seconds and zone are dropped, and the time too when the input has none. */
function boundOf(option: string | undefined, hasTime: boolean | undefined, scope: Scope) {
  const text = interpolate(option, scope)
  const [dateTime, date] = dateTimePattern.exec(text) ?? []
  return (hasTime ? dateTime : date) ?? text
}

const dateTimePattern = /(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}/

/** A bound is an instant: that of a day without a time is 00:00, so that `max` refuses its own day. */
function areWithin(dates: number[], bounds: Bounds): boolean {
  const min = instantOf(bounds.min) ?? Number.NEGATIVE_INFINITY
  const max = instantOf(bounds.max) ?? Number.POSITIVE_INFINITY
  return dates.every((date) => date >= min && date <= max)
}

/** Undefined: not an ISO date, so not a bound. */
function instantOf(bound: string | undefined): number | undefined {
  if (bound === undefined || !isoPattern.test(bound)) return undefined
  const instant = Date.parse(bound.includes("T") ? `${bound}Z` : bound)
  return Number.isNaN(instant) ? undefined : instant
}

const isoPattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/

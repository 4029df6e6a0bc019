/** Asks for a date or a range of dates, in words or figures. */
import type { z } from "zod"
import { judgingUnits, spend } from "../../../budget/fuel.ts"
import { optional } from "../../../schema/sharedMembers.ts"
import { interpolate, type Scope } from "../../../variables/interpolate.ts"
import { blockSchemaOf } from "../../defineBlock.ts"
import { answerShape, askPrefilled, typedInput } from "../asking.ts"
import { formatDate } from "../formatDate.ts"
import { type NaturalDate, readNaturalDate } from "../naturalDate.ts"

const dateInputBlockSchema = blockSchemaOf("date input", {
  options: optional.named("DateInputOptions", "How the date is asked for and stored", {
    ...answerShape,
    labels: optional.named("DateInputLabels", "Texts around the date", {
      button: optional.template("Label of the button; default Send"),
      from: optional.template("Label of the first date; default From:"),
      to: optional.template("Label of the second date; default To:"),
      separator: optional.template("Word between the dates of a stored range; default to"),
    }),
    hasTime: optional.flag("Whether a time of day is asked too", false),
    isRange: optional.flag("Whether two dates are asked", false),
    format: optional.text(
      "How to store dates, in tokens of date-fns; default dd/MM/yyyy, with time dd/MM/yyyy HH:mm",
    ),
    min: optional.hinted("Earliest date: ISO date, date-time or {{variable}}", { template: true }),
    max: optional.hinted("Latest date, likewise; a day without a time is allowed as a whole", {
      template: true,
    }),
  }),
}).meta({ id: "DateInputBlock" })

export type DateInputBlock = z.infer<typeof dateInputBlockSchema>

export const dateInputBlock = typedInput(dateInputBlockSchema, {
  catalogue: {
    label: "Date",
    description: "Asks for a date or a range of dates, with or without a time of day",
    category: "questions",
    icon: "calendar",
    messengers: "reduced",
  },
  replyName: "date",
  answersAre: "dates",
  samples: ({ options }) => ({
    fitting: sampleDates(options),
    refused: ["never"],
  }),
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
    const found = readNaturalDate(typed, {
      isDayFirst,
      now: context.world.now(),
      language: context.chat.language,
    })
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

/** The bounds in the client's form, without empty ones. */
function boundsOf(options: Options, scope: Scope): Bounds {
  const min = boundOf(options?.min, options?.hasTime, scope)
  const max = boundOf(options?.max, options?.hasTime, scope)
  return { ...(min && { min }), ...(max && { max }) }
}

/** Drops the seconds and the zone of a date-time, and the time too when the input has none. */
function boundOf(option: string | undefined, hasTime: boolean | undefined, scope: Scope) {
  const text = interpolate(option, scope)
  const [dateTime, date] = dateTimePattern.exec(text) ?? []
  return (hasTime ? dateTime : date) ?? text
}

const dateTimePattern = /(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}/

/** A bound is an instant; a day without a time is allowed from its beginning to its end. */
function areWithin(dates: number[], bounds: Bounds): boolean {
  const min = instantOf(bounds.min) ?? Number.NEGATIVE_INFINITY
  const last = instantOf(bounds.max) ?? Number.POSITIVE_INFINITY
  const max = bounds.max?.includes("T") ? last : last + dayMs - 1
  return dates.every((date) => date >= min && date <= max)
}

/** Days to try: an early one, those at the bounds and those within. */
function sampleDates(options: Options): string[] {
  // Both are already filled in.
  const [min, max] = [instantOf(options?.min), instantOf(options?.max)]
  const near = [min, max].flatMap((bound) =>
    bound === undefined ? [] : [bound, bound + dayMs, bound - dayMs],
  )
  const all = [Date.UTC(2026, 0, 6, 10), ...near, ((min ?? 0) + (max ?? 0)) / 2].flatMap(
    (moment) => {
      const [day = "", time = ""] = new Date(moment).toISOString().split("T")
      return options?.hasTime ? [`${day} ${time.slice(0, 5)}`, `${day} 10:00`] : day
    },
  )
  const bounds: Bounds = {
    ...(options?.min && { min: options.min }),
    ...(options?.max && { max: options.max }),
  }
  return all
    .map((text) => (options?.isRange ? `${text} to ${text}` : text))
    .filter((text) => {
      const found = readNaturalDate(text, { isDayFirst: false, now: 0 })
      const dates = found && datesOf(found, options?.isRange)
      return /^[12]\d{3}-/.test(text) && dates && areWithin(dates, bounds)
    })
}

const dayMs = 86_400_000

/** Undefined: not an ISO date, so not a bound. */
function instantOf(bound: string | undefined): number | undefined {
  if (bound === undefined || !isoPattern.test(bound)) return undefined
  const instant = Date.parse(bound.includes("T") ? `${bound}Z` : bound)
  return Number.isNaN(instant) ? undefined : instant
}

const isoPattern = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2})?$/

/** Asks for a date or a range of two dates, with or without times. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import { type FieldType, highest, lowest } from "./moments.ts"
import { AskForm, SendButton, useDraft, usePrefilled } from "./parts.tsx"
import { type Check, checkBounds } from "./problems.ts"
import { type ToolProps, withTools } from "./withTools.tsx"

type DateProps = ToolProps<"date input">

export const DateInput = withTools<"date input">(DateForm)

function DateForm({ input, tools }: DateProps): VNode {
  const { answer, texts, locale } = useChat()
  const { labels, format, hasTime, isRange, min, max } = input.options ?? {}
  const type: "datetime-local" | "date" = hasTime ? "datetime-local" : "date"
  const [known, knownEnd] = useKnownDates({ input, tools }, type)
  const [from, setFrom] = useDraft(input, "from", known)
  const [to, setTo] = useDraft(input, "to", knownEnd)
  const write = (date: string) => written(date, { hasTime: hasTime === true, locale })
  const send = () => {
    const dates = isRange ? [from, to] : [from]
    const shown = dates.map(write).join(" – ")
    // Where no author has chosen a form, digits are stored, and an English word between two dates.
    const staysAsGiven = !format && !labels?.separator
    answer({ message: { type: "text", text: dates.join(" to ") }, shown, staysAsGiven })
  }
  const field = { class: "field", min: lowest(min, type), max: highest(max, type) ?? latest[type] }
  const isEmpty = from === "" || (isRange === true && to === "")
  const withinBounds = checkBounds(texts, write)
  const check: Check = (field) => {
    const isHalf = isEmpty && (from !== "" || to !== "") && field.value === ""
    return withinBounds(field) ?? (isHalf ? texts.dateMissing : undefined)
  }
  return (
    <AskForm onSubmit={send} isEmpty={isEmpty} check={check} class="typed short">
      <div class="dates">
        <label>
          {isRange && <span>{labels?.from ?? texts.from}</span>}
          <input
            {...field}
            type={type}
            value={from}
            aria-label={isRange ? undefined : texts.date}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        {isRange && (
          <label>
            <span>{labels?.to ?? texts.to}</span>
            <input
              {...field}
              type={type}
              min={from || field.min}
              value={to}
              onInput={({ currentTarget }) => setTo(currentTarget.value)}
            />
          </label>
        )}
      </div>
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

/** Browsers would take years of six digits, which no service reads. */
const latest = { date: "9999-12-31", "datetime-local": "9999-12-31T23:59" }

/** The dates that the fields show at first; "" where none is known. */
function useKnownDates({ input, tools }: DateProps, type: FieldType) {
  const { format, labels, hasTime, isRange } = input.options ?? {}
  const known = usePrefilled(input)
  const parts = isRange ? known.split(` ${labels?.separator || "to"} `) : [known]
  const defaultFormat = hasTime ? "dd/MM/yyyy HH:mm" : "dd/MM/yyyy"
  const [from = "", to = ""] = parts.map(
    (part) => tools?.fieldValue(part, type, format || defaultFormat) ?? "",
  )
  return [from, to] as const
}

/** The date in the person's own format, shown until the service returns the stored form. */
function written(date: string, { hasTime, locale }: { hasTime: boolean; locale: string }): string {
  const moment = new Date(hasTime ? date : `${date}T12:00`)
  const dateStyle = "medium"
  return moment.toLocaleString(locale, hasTime ? { dateStyle, timeStyle: "short" } : { dateStyle })
}

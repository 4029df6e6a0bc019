/** Asks for a date, with a time or without, or for the two dates of a range. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { texts } from "../texts.ts"
import { AskForm, type InputProps, SendButton, useFirstFocus } from "./parts.tsx"

const dayMs = 86_400_000

export function DateInput({ input }: InputProps<"date input">): VNode {
  const { answer } = useChat()
  const { labels, hasTime, isRange, min, max } = input.options ?? {}
  const [from, setFrom] = useState("")
  const [to, setTo] = useState("")
  const first = useFirstFocus<HTMLInputElement>()
  const send = () => {
    if (from === "" || (isRange && to === "")) return first.current?.focus()
    const dates = isRange ? [from, to] : [from]
    const shown = dates.map((date) => written(date, hasTime === true)).join(" – ")
    answer({ message: { type: "text", text: dates.join(" to ") }, shown })
  }
  const type: "datetime-local" | "date" = hasTime ? "datetime-local" : "date"
  const field = { class: "field", min, max: hasTime ? max : dayBefore(max) }
  return (
    <AskForm onSubmit={send} class="typed short">
      <div class="dates">
        <label>
          {isRange && <span>{labels?.from ?? "From:"}</span>}
          <input
            ref={first}
            {...field}
            type={type}
            value={from}
            aria-label={isRange ? undefined : texts.date}
            onInput={({ currentTarget }) => setFrom(currentTarget.value)}
          />
        </label>
        {isRange && (
          <label>
            <span>{labels?.to ?? "To:"}</span>
            <input
              {...field}
              type={type}
              min={from || min}
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

/** A bound without a time ends as it begins, so its own day is not taken. */
function dayBefore(bound: string | undefined): string | undefined {
  const day = Date.parse(bound ?? "")
  return Number.isNaN(day) ? undefined : new Date(day - dayMs).toISOString().slice(0, 10)
}

/** As the person's language writes it, until the service tells how it is kept. */
function written(date: string, hasTime: boolean): string {
  const moment = new Date(hasTime ? date : `${date}T12:00`)
  const dateStyle = "medium"
  return moment.toLocaleString([], hasTime ? { dateStyle, timeStyle: "short" } : { dateStyle })
}

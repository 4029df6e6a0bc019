/** Asks for a number, with its unit or currency beside it. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { AskForm, type InputProps, SendButton, usePrefilled, useTyped } from "./parts.tsx"
import { checkBounds } from "./problems.ts"

type NumberInputOptions = NonNullable<InputOf<"number input">["options"]>

export function NumberInput({ input }: InputProps<"number input">): VNode {
  const { answer, texts, locale } = useChat()
  const options = input.options ?? {}
  const { labels, min, max, step = "any" } = options
  const known = usePrefilled(input)
  // A number field would not show anything else, but it would still be sent.
  const initial = Number.isNaN(Number(known)) ? "" : known
  const { typed, field } = useTyped(input, texts.typeNumber, initial)
  const format = formatOf(options, locale)
  const send = () => {
    const shown = Number.isFinite(Number(typed)) ? (format?.format(Number(typed)) ?? typed) : typed
    answer({ message: { type: "text", text: typed }, shown })
  }
  const unit = format && unitOf(format)
  const check = checkBounds(texts, (bound) =>
    (format ?? new Intl.NumberFormat(locale)).format(Number(bound)),
  )
  return (
    <AskForm onSubmit={send} isEmpty={typed === ""} check={check} class="typed">
      <div class="field with-unit">
        <input
          {...field}
          type="number"
          inputMode="decimal"
          {...{ min, max, step }}
          aria-label={unit ? `${field["aria-label"]} (${unit})` : field["aria-label"]}
        />
        {unit && <span class="unit">{unit}</span>}
      </div>
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

/** The format in which the conversation shows the number; undefined: as typed. */
function formatOf(
  { style, locale, currency, unit }: NumberInputOptions,
  ownLocale: string,
): Intl.NumberFormat | undefined {
  if (!style || style === "decimal" || style === "percent") return undefined
  try {
    return new Intl.NumberFormat(locale ?? ownLocale, {
      style,
      ...(style === "currency" && { currency: currency || "USD" }),
      ...(style === "unit" && unit && { unit, unitDisplay: "short" }),
    })
  } catch {
    return undefined
  }
}

function unitOf(format: Intl.NumberFormat): string | undefined {
  const parts = format.formatToParts(1)
  return parts.find(({ type }) => type === "currency" || type === "unit")?.value
}

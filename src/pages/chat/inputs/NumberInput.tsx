/** Asks for a number, with its unit or currency beside it. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { AskForm, type InputProps, SendButton, usePrefilled, useTyped } from "./parts.tsx"
import { checkNumber } from "./problems.ts"
import { readNumber, writeNumber } from "./readNumber.ts"

type NumberInputOptions = NonNullable<InputOf<"number input">["options"]>

export function NumberInput({ input }: InputProps<"number input">): VNode {
  const { answer, texts, locale } = useChat()
  const options = input.options ?? {}
  const { labels, min, max } = options
  const { typed, field } = useTyped(input, texts.typeNumber, useKnownNumber(input, locale))
  const format = formatOf(options, locale)
  const send = () => {
    const read = readNumber(typed, locale)
    if (!read || "choices" in read) return
    const { plain } = read
    const isGrouped = /\d\D+\d{3}/.test(typed)
    const shown = format?.format(Number(plain)) ?? writeNumber(plain, locale, isGrouped)
    answer({ message: { type: "text", text: plain }, shown, staysAsGiven: true })
  }
  const unit = format && unitOf(format)
  const write = (bound: number) => (format ?? new Intl.NumberFormat(locale)).format(bound)
  const check = checkNumber(texts, { locale, min, max, write })
  return (
    <AskForm onSubmit={send} isEmpty={typed === ""} {...(typed && { check })} class="typed">
      <div class="field with-unit">
        <input
          {...field}
          type="text"
          inputMode="decimal"
          autoComplete="off"
          aria-label={unit ? `${field["aria-label"]} (${unit})` : field["aria-label"]}
        />
        {unit && <span class="unit">{unit}</span>}
      </div>
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

/** The known value as people of the language write it; "" where it is no number. */
function useKnownNumber(input: InputOf<"number input">, locale: string): string {
  const known = usePrefilled(input)
  const isPlain = known.trim() !== "" && Number.isFinite(Number(known))
  const read = isPlain ? { plain: known.trim() } : readNumber(known, locale)
  return read && "plain" in read ? writeNumber(read.plain, locale, false) : ""
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

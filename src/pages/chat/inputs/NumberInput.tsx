/** Asks for a number, with its unit or currency beside it. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import type { InputOf } from "../payload.ts"
import { AskForm, SendButton, usePrefilled, useTyped } from "./parts.tsx"
import { type ToolProps, withTools } from "./withTools.tsx"

type NumberProps = ToolProps<"number input">
type NumberInputOptions = NonNullable<InputOf<"number input">["options"]>

export const NumberInput = withTools<"number input">(NumberForm)

function NumberForm({ input, tools }: NumberProps): VNode {
  const { answer, texts, locale } = useChat()
  const options = input.options ?? {}
  const { labels, min, max } = options
  const { typed, field } = useTyped(
    input,
    texts.typeNumber,
    useKnownNumber({ input, tools }, locale),
  )
  const format = formatOf(options, locale)
  const send = () => {
    // Without the tools, the service validates the number.
    const read = tools ? tools.readNumber(typed, locale) : { plain: typed }
    if (!read || "choices" in read) return
    const { plain } = read
    const isGrouped = /\d\D+\d{3}/.test(typed)
    const shown =
      format?.format(Number(plain)) ?? tools?.writeNumber(plain, locale, isGrouped) ?? typed
    answer({ message: { type: "text", text: plain }, shown, staysAsGiven: true })
  }
  const unit = format && unitOf(format)
  const write = (bound: number) => (format ?? new Intl.NumberFormat(locale)).format(bound)
  const check = tools?.checkNumber(texts, { locale, min, max, write })
  return (
    <AskForm
      onSubmit={send}
      isEmpty={typed === ""}
      {...(typed && check && { check })}
      class="typed"
    >
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

/** The known value as written in the language; "" if it is not a number. */
function useKnownNumber({ input, tools }: NumberProps, locale: string): string {
  const known = usePrefilled(input).trim()
  const isPlain = known !== "" && Number.isFinite(Number(known))
  const read = isPlain ? { plain: known } : tools?.readNumber(known, locale)
  if (!read || "choices" in read) return ""
  return tools?.writeNumber(read.plain, locale, false) ?? read.plain
}

/** The format in which the conversation shows the number; undefined: as typed. */
function formatOf({ style, locale, currency, unit }: NumberInputOptions, ownLocale: string) {
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

/** Asks for a phone number and its country. */
import type { VNode } from "preact"
import { useMemo } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { ownRegion } from "../locale.ts"
import { AskForm, SendButton, useDraft, useTyped } from "./parts.tsx"
import { type ToolProps, withTools } from "./withTools.tsx"

export const PhoneInput = withTools<"phone number input">(PhoneForm)

function PhoneForm({ input, tools }: ToolProps<"phone number input">): VNode {
  const { answer, texts, locale } = useChat()
  const { labels, defaultCountryCode } = input.options ?? {}
  const countries = useMemo(() => tools?.listCountries(locale) ?? [], [locale])
  const find = (id: string | undefined) => countries.find((each) => each.id === id?.toUpperCase())
  const known = find(defaultCountryCode) ?? find(ownRegion())
  const [countryId, setCountryId] = useDraft(input, "country", known?.id ?? "")
  const country = find(countryId)
  const { typed, field } = useTyped(input, texts.typePhone)
  const send = () => {
    const isWhole = typed.startsWith("+") || typed.startsWith("00") || !country
    const whole = isWhole ? typed.replace(/^00/, "+") : `+${country.callingCode} ${typed}`
    answer({ message: { type: "text", text: whole }, shown: whole })
  }
  return (
    <AskForm onSubmit={send} isEmpty={typed === ""} class="typed">
      <div class="field phone">
        <span class="country">
          <span aria-hidden="true" dir="ltr">
            {country ? `${flagOf(country.id)} +${country.callingCode}` : "+"}
          </span>
          <select
            aria-label={texts.country}
            value={countryId}
            onChange={({ currentTarget }) => setCountryId(currentTarget.value)}
          >
            <option value="">{texts.international}</option>
            {countries.map(({ id, name, callingCode }) => (
              <option key={id} value={id}>
                {name} ({`\u2066+${callingCode}\u2069`})
              </option>
            ))}
          </select>
        </span>
        <input
          {...field}
          type="tel"
          autoComplete="tel"
          // Numbers are written from left to right in every script, unlike the hint.
          dir={field.value ? "ltr" : undefined}
        />
      </div>
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

/** The flag of a country. Systems without flags show the two letters. */
function flagOf(id: string): string {
  const regionalA = 0x1f1e6
  return String.fromCodePoint(...[...id].map((letter) => regionalA + letter.charCodeAt(0) - 65))
}

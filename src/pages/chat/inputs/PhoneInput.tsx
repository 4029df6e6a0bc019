/** Asks for a phone number, with the country that it belongs to. */
import type { VNode } from "preact"
import { useMemo, useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { texts } from "../texts.ts"
import { listCountries } from "./countries.ts"
import { AskForm, type InputProps, SendButton, useFirstFocus, usePrefilled } from "./parts.tsx"

export function PhoneInput({ input }: InputProps<"phone number input">): VNode {
  const { answer } = useChat()
  const { labels, defaultCountryCode } = input.options ?? {}
  const countries = useMemo(listCountries, [])
  const find = (id: string | undefined) => countries.find((each) => each.id === id?.toUpperCase())
  const [country, setCountry] = useState(find(defaultCountryCode) ?? find(ownRegion()))
  const [text, setText] = useState(usePrefilled(input))
  const first = useFirstFocus<HTMLInputElement>()
  const hint = labels?.placeholder ?? "Type your phone number..."
  const send = () => {
    const typed = text.trim()
    if (typed === "") return first.current?.focus()
    const isWhole = typed.startsWith("+") || typed.startsWith("00") || !country
    const whole = isWhole ? typed.replace(/^00/, "+") : `+${country.callingCode} ${typed}`
    answer({ message: { type: "text", text: whole }, shown: whole })
  }
  return (
    <AskForm onSubmit={send} class="typed">
      <div class="field phone">
        <span class="country">
          <span aria-hidden="true">{country ? `${country.id} +${country.callingCode}` : "+"}</span>
          <select
            aria-label={texts.country}
            value={country?.id ?? ""}
            onChange={({ currentTarget }) => setCountry(find(currentTarget.value))}
          >
            <option value="">{texts.international}</option>
            {countries.map(({ id, name, callingCode }) => (
              <option key={id} value={id}>
                {name} (+{callingCode})
              </option>
            ))}
          </select>
        </span>
        <input
          ref={first}
          type="tel"
          autoComplete="tel"
          value={text}
          placeholder={hint}
          aria-label={hint || texts.yourAnswer}
          // Numbers run from left to right in every script.
          dir="ltr"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </div>
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

/** The region that the browser is set to, if it says so. */
function ownRegion(): string | undefined {
  return new Intl.Locale(navigator.language).region
}

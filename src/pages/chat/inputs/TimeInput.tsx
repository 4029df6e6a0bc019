/** Asks for a time of day. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import { AskForm, SendButton, useDraft, usePrefilled } from "./parts.tsx"
import { checkBounds } from "./problems.ts"
import { type ToolProps, withTools } from "./withTools.tsx"

export const TimeInput = withTools<"time input">(TimeForm)

function TimeForm({ input, tools }: ToolProps<"time input">): VNode {
  const { answer, texts, locale } = useChat()
  const { labels, format } = input.options ?? {}
  const prefilled = usePrefilled(input)
  const known = tools?.fieldValue(prefilled, "time", format || "HH:mm") ?? ""
  const [time, setTime] = useDraft(input, "text", known)
  // There are no bounds for times, so that none is ever put in words.
  const check = checkBounds(texts, String)
  const send = () => {
    const shown = new Date(`2000-01-01T${time}`).toLocaleTimeString(locale, { timeStyle: "short" })
    // Where no author has chosen a form, digits are stored.
    answer({ message: { type: "text", text: time }, shown, staysAsGiven: !format })
  }
  return (
    <AskForm onSubmit={send} isEmpty={time === ""} check={check} class="typed short">
      <input
        class="field"
        type="time"
        value={time}
        aria-label={texts.time}
        onInput={({ currentTarget }) => setTime(currentTarget.value)}
      />
      <SendButton label={labels?.button} />
    </AskForm>
  )
}

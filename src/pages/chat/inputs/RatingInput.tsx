/** Asks for a rating, in numbers or icons. */
import type { VNode } from "preact"
import { useChat } from "../chatContext.ts"
import { StarIcon } from "../icons.tsx"
import type { InputOf } from "../payload.ts"
import { AskForm, type InputProps, SendButton, useDraft, usePrefilled } from "./parts.tsx"
import { readSvg } from "./readSvg.tsx"

type RatingInputOptions = NonNullable<InputOf<"rating input">["options"]>

/** More marks would fill the page and be indistinguishable. */
const maxMarks = 100

export function RatingInput({ input }: InputProps<"rating input">): VNode {
  const { answer } = useChat()
  const options = input.options ?? {}
  const { labels, isOneClickSubmitEnabled, buttonType } = options
  const [rating, setRating] = useDraft(input, "rating", usePrefilled(input))
  const send = (text: string) => answer({ message: { type: "text", text }, shown: text })
  const submit = () => {
    if (rating !== "") send(rating)
  }
  return (
    <AskForm onSubmit={submit} class="rating">
      <div class={buttonType === "Icons" ? "marks icons" : "marks"}>
        {isOneClickSubmitEnabled ? (
          ratingsOf(options).map((each) => (
            <button
              key={each}
              type="button"
              class="mark"
              aria-label={each}
              onClick={() => send(each)}
            >
              <Mark options={options} text={each} />
            </button>
          ))
        ) : (
          <Radios options={options} rating={rating} choose={setRating} />
        )}
      </div>
      {labels?.left && <span class="end">{labels.left}</span>}
      {labels?.right && <span class="end right">{labels.right}</span>}
      {!isOneClickSubmitEnabled && rating !== "" && <SendButton label={labels?.button} />}
    </AskForm>
  )
}

type RadiosProps = { options: RatingInputOptions; rating: string; choose(text: string): void }

/** Marks to choose from before sending; the arrow keys move between them. */
function Radios({ options, rating, choose }: RadiosProps): VNode {
  const { texts } = useChat()
  return (
    <fieldset>
      <legend class="for-readers">{texts.rating}</legend>
      {ratingsOf(options).map((each) => (
        <label key={each} class={isLit(options, each, rating) ? "mark lit" : "mark"}>
          <input
            type="radio"
            name="rating"
            value={each}
            checked={each === rating}
            aria-label={each}
            onChange={() => choose(each)}
          />
          <Mark options={options} text={each} />
        </label>
      ))}
    </fieldset>
  )
}

function ratingsOf({ buttonType, length = 10, startsAt }: RatingInputOptions): string[] {
  const last = Math.floor(Number(length))
  const first = buttonType === "Icons" ? 1 : Math.floor(Number(startsAt ?? 0)) || 0
  const count = Math.min(maxMarks, Math.max(1, last - first + 1))
  return Array.from({ length: Number.isNaN(count) ? 1 : count }, (_, index) =>
    String(first + index),
  )
}

/** With icons, every mark up to the chosen one is lit. */
function isLit({ buttonType }: RatingInputOptions, each: string, rating: string): boolean {
  return buttonType === "Icons" && rating !== "" && Number(each) <= Number(rating)
}

function Mark({ options, text }: { options: RatingInputOptions; text: string }): VNode {
  if (options.buttonType !== "Icons") return <span>{text}</span>
  const { isEnabled, svg } = options.customIcon ?? {}
  return (isEnabled && svg && readSvg(svg)) || <StarIcon />
}

/** Asks for a rating, in numbers or in icons. */
import type { VNode } from "preact"
import { useState } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { StarIcon } from "../icons.tsx"
import type { InputOf } from "../payload.ts"
import { texts } from "../texts.ts"
import { AskForm, type InputProps, SendButton, useFirstFocus, usePrefilled } from "./parts.tsx"
import { readSvg } from "./readSvg.tsx"

type RatingInputOptions = NonNullable<InputOf<"rating input">["options"]>

/** More marks than anybody can tell apart would fill the page. */
const most = 100

export function RatingInput({ input }: InputProps<"rating input">): VNode {
  const { answer } = useChat()
  const options = input.options ?? {}
  const { labels, isOneClickSubmitEnabled, buttonType } = options
  const [rating, setRating] = useState<string>(usePrefilled(input))
  const send = (text: string) => answer({ message: { type: "text", text }, shown: text })
  const submit = () => {
    if (rating !== "") send(rating)
  }
  const choose = (text: string) => (isOneClickSubmitEnabled ? send(text) : setRating(text))
  const marks = { options, rating, choose }
  return (
    <AskForm onSubmit={submit} class="rating">
      <div class={buttonType === "Icons" ? "marks icons" : "marks"}>
        {isOneClickSubmitEnabled ? <Buttons {...marks} /> : <Radios {...marks} />}
      </div>
      {labels?.left && <span class="end">{labels.left}</span>}
      {labels?.right && <span class="end right">{labels.right}</span>}
      {!isOneClickSubmitEnabled && rating !== "" && <SendButton label={labels?.button} />}
    </AskForm>
  )
}

type MarksProps = { options: RatingInputOptions; rating: string; choose(text: string): void }

/** A click is the answer. */
function Buttons({ options, choose }: MarksProps): VNode {
  const first = useFirstFocus<HTMLButtonElement>()
  return (
    <>
      {ratingsOf(options).map((each, index) => (
        <button
          key={each}
          ref={index === 0 ? first : null}
          type="button"
          class="mark"
          aria-label={each}
          onClick={() => choose(each)}
        >
          <Mark options={options} text={each} />
        </button>
      ))}
    </>
  )
}

/** The arrow keys go through them without sending anything. */
function Radios({ options, rating, choose }: MarksProps): VNode {
  const first = useFirstFocus<HTMLInputElement>()
  return (
    <fieldset>
      <legend class="for-readers">{texts.rating}</legend>
      {ratingsOf(options).map((each, index) => (
        <label key={each} class={isLit(options, each, rating) ? "mark lit" : "mark"}>
          <input
            ref={index === 0 ? first : null}
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
  const count = Math.min(most, Math.max(1, last - first + 1))
  return Array.from({ length: Number.isNaN(count) ? 1 : count }, (_, index) =>
    String(first + index),
  )
}

/** Of icons all up to the chosen one shine. */
function isLit({ buttonType }: RatingInputOptions, each: string, rating: string): boolean {
  return buttonType === "Icons" && rating !== "" && Number(each) <= Number(rating)
}

function Mark({ options, text }: { options: RatingInputOptions; text: string }): VNode {
  if (options.buttonType !== "Icons") return <span>{text}</span>
  const { isEnabled, svg } = options.customIcon ?? {}
  return (isEnabled && svg && readSvg(svg)) || <StarIcon />
}

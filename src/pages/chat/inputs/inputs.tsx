/** The component of each input that asks for more than a line of text; a missing one does not compile. */
import type { FunctionComponent, VNode } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import type { ChatInput, InputType } from "../payload.ts"
import { CardsInput } from "./CardsInput.tsx"
import { ChoiceInput } from "./ChoiceInput.tsx"
import { DateInput } from "./DateInput.tsx"
import { FileInput } from "./FileInput.tsx"
import { NumberInput } from "./NumberInput.tsx"
import { PaymentInput } from "./PaymentInput.tsx"
import { PhoneInput } from "./PhoneInput.tsx"
import { PictureChoiceInput } from "./PictureChoiceInput.tsx"
import { firstField, type InputProps } from "./parts.tsx"
import { RatingInput } from "./RatingInput.tsx"
import { TextInput } from "./TextInput.tsx"
import { TimeInput } from "./TimeInput.tsx"
import { TypedInput, type TypedType } from "./TypedInput.tsx"

type OtherType = Exclude<InputType, TypedType>

const inputs: { readonly [T in OtherType]: FunctionComponent<InputProps<T>> } = {
  "text input": TextInput,
  "number input": NumberInput,
  "phone number input": PhoneInput,
  "date input": DateInput,
  "time input": TimeInput,
  "choice input": ChoiceInput,
  "picture choice input": PictureChoiceInput,
  cards: CardsInput,
  "rating input": RatingInput,
  "file input": FileInput,
  "payment input": PaymentInput,
}

/** The input that is asked now. Takes the focus if the person is already at the chat. */
export function Ask({ input }: { input: ChatInput }): VNode {
  const box = useRef<HTMLDivElement>(null)
  const { takesFocus } = useChat()
  useEffect(() => {
    const { current: asked } = box
    if (asked && takesFocus()) firstField(asked)?.focus({ preventScroll: true })
  }, [])
  // Answered, or taken away by a command, it leaves the focus in the chat: keys of the chat go on working,
  // and screen readers do not jump to the top of the page.
  useLayoutEffect(() => {
    const { current: asked } = box
    return () => {
      if (!asked?.querySelector(":focus")) return
      asked.closest<HTMLElement>(".chat")?.focus({ preventScroll: true })
    }
  }, [])
  // Each component only gets its own type of input, which TypeScript cannot follow through the table.
  const Shown = (inputs[input.type as OtherType] ?? TypedInput) as FunctionComponent<{
    input: ChatInput
  }>
  return (
    <div ref={box} class="asked">
      <Shown input={input} />
    </div>
  )
}

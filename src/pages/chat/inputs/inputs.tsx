/** How each type of input asks; the compiler knows when one is missing. */
import type { FunctionComponent, VNode } from "preact"
import type { ChatInput, InputType } from "../payload.ts"
import { CardsInput } from "./CardsInput.tsx"
import { ChoiceInput } from "./ChoiceInput.tsx"
import { DateInput } from "./DateInput.tsx"
import { FileInput } from "./FileInput.tsx"
import { NumberInput } from "./NumberInput.tsx"
import { PaymentInput } from "./PaymentInput.tsx"
import { PhoneInput } from "./PhoneInput.tsx"
import { PictureChoiceInput } from "./PictureChoiceInput.tsx"
import type { InputProps } from "./parts.tsx"
import { RatingInput } from "./RatingInput.tsx"
import { TextInput } from "./TextInput.tsx"
import { TimeInput } from "./TimeInput.tsx"
import { TypedInput } from "./TypedInput.tsx"

const inputs: { readonly [T in InputType]: FunctionComponent<InputProps<T>> } = {
  "text input": TextInput,
  "number input": NumberInput,
  "email input": ({ input }) => (
    <TypedInput input={input} kind="email" placeholder="Type your email..." />
  ),
  "url input": ({ input }) => <TypedInput input={input} kind="url" placeholder="Type a URL..." />,
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

/** What is asked now. */
export function Ask({ input }: { input: ChatInput }): VNode {
  // A type is only ever given its own input; TypeScript cannot follow a look-up by name that far.
  const Shown = inputs[input.type] as FunctionComponent<{ input: ChatInput }>
  return <Shown input={input} />
}

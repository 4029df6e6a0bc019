/** What every input is given. */
import type { InputOf, InputType } from "../payload.ts"

export type InputProps<T extends InputType> = { input: InputOf<T> }

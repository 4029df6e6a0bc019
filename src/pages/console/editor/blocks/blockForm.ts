/** What the fields of a form share: the element with its changes, and how one is changed. */
import { type ComponentType, createContext, use } from "react"
import type { Path, Schema } from "./blockSchema.ts"

/** A member that gets a field. */
export type MemberProps = {
  schema: Schema
  path: Path
  value: unknown
  isRequired?: boolean
  /** True in a row of a list, where its title is not shown. */
  isBare?: boolean
}

/** A member with its value, as every kind of field takes it. */
export type FieldProps = MemberProps & {
  label: string
  isRequired: boolean
  /** Undefined removes the member. */
  onChange(value: unknown): void
}

export type BlockForm = {
  /** The element as it is in the form: a block, an event, a theme, settings. */
  value: unknown
  isReadOnly: boolean
  /** The field of a member, which fields of several members show in turn. */
  Field: ComponentType<MemberProps>
  /** Changes one member; undefined removes it. */
  change(path: Path, value: unknown): void
  /** Saves what was changed so far. */
  flush(): void
}

const FormContext = createContext<BlockForm | undefined>(undefined)

export const FormProvider = FormContext.Provider

export function useForm(): BlockForm {
  const form = use(FormContext)
  if (form === undefined) throw new Error("There is no form around this field")
  return form
}

/** What reading variables needs. */
import type { Fuel } from "../budget/fuel.ts"
import type { Variable, VariableValue } from "../schema/variable.ts"

/** The variables as a block sees them: definitions of the current bot with their present values. */
export type Variables = {
  /** Present value; undefined when unset, unknown or not named. Never null. */
  value(variableId: string | undefined): VariableValue | undefined
  /** Whether the present value is what a visitor said, which is shown as plain text. */
  isPlain(variableId: string | undefined): boolean
  /** First variable of that exact name, with its present value. */
  named(name: string): Variable | undefined
  /** Definition by id, with its present value; undefined when the bot has no such variable. */
  definition(variableId: string | undefined): Variable | undefined
  /** Every variable with its present value, the last changed one last. */
  list(): Variable[]
}

/** What interpolation needs: the variables, the results of inline code, and a budget to work with. */
export type Scope = {
  readonly variables: Variables
  readonly fuel: Fuel
  /** Outcome of an inline expression, by its source; undefined when it failed or did not run. */
  inline(source: string): { value: unknown } | undefined
}

/** How inputs ask, and what most of them make of a reply. */
import type { Message } from "../../schema/message.ts"
import { interpolate, interpolateStructure, readNumber } from "../../variables/interpolate.ts"
import type { Scope } from "../../variables/scope.ts"
import type { BlockContext } from "../block.ts"

/** The options filled in and the present value; neither for a block without options. */
export function askPrefilled<Options extends { variableId?: string | undefined }>(
  { options }: { options?: Options | undefined },
  context: BlockContext,
): { options?: Options; prefilledValue?: string } {
  if (!options) return {}
  const { variableId } = options
  const value = variableId === undefined ? undefined : context.variables.value(variableId)
  // A list is not prefilled. The value may hold tokens itself, which are replaced once.
  const prefilledValue = typeof value === "string" ? interpolate(value, context) : ""
  const filled = interpolateStructure(options, context)
  return prefilledValue ? { options: filled, prefilledValue } : { options: filled }
}

/** The typed words of a reply; undefined when there is no message or it is not a text. */
export function typedText(message: Message | undefined): string | undefined {
  return message?.type === "text" ? message.text : undefined
}

/** Options that are numbers or name variables, as plain numbers; those that are none are left out. */
export function readNumbers(
  options: Record<string, number | string | undefined>,
  scope: Scope,
): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (const [name, option] of Object.entries(options)) {
    const number = readNumber(option, scope)
    if (number !== undefined) numbers[name] = number
  }
  return numbers
}

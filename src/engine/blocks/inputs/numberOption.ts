/** Options that are a number or name a variable that holds one. */
import { z } from "zod"
import { readNumber } from "../../variables/number.ts"
import type { Reading } from "../block.ts"

/** A number, or a text that is a number once its {{variables}} are replaced. */
export const numberOptionSchema = z
  .union([z.number(), z.string()])
  .meta({ id: "NumberOption", description: "A number, or a variable reference such as {{Max}}" })

export type NumberOption = z.infer<typeof numberOptionSchema>

/** Such options as plain numbers; those that are none are left out. */
export function readNumbers(
  options: Record<string, NumberOption | undefined>,
  reading: Reading,
): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (const [name, option] of Object.entries(options)) {
    const number = readNumber(option, reading)
    if (number !== undefined) numbers[name] = number
  }
  return numbers
}

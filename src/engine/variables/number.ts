/** Reads an option that is a number or names a variable that holds one. */

import { interpolate } from "./interpolate.ts"
import type { Reading } from "./reading.ts"

/** The number; a first comma counts as decimal point, trailing words are ignored. Undefined: none. */
export function readNumber(
  value: number | string | undefined,
  reading: Reading,
): number | undefined {
  const number =
    typeof value === "string"
      ? Number.parseFloat(interpolate(value, reading).replace(",", "."))
      : value
  return number !== undefined && Number.isFinite(number) ? number : undefined
}

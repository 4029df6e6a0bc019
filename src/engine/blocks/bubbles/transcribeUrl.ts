/** The line of a transcript for a bubble that shows what lies at an address. */
import { interpolate } from "../../variables/interpolate.ts"
import type { Reading } from "../../variables/reading.ts"
import type { Spoken } from "../block.ts"

/** The address with its variables replaced; undefined when there is none. */
export function transcribeUrl(
  type: Spoken["type"],
  url: string | undefined,
  reading: Reading,
): Spoken | undefined {
  const content = interpolate(url, reading)
  return content === "" ? undefined : { type, content }
}

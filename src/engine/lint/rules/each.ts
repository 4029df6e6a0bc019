/** Looks at many parts of a flow one after the other. */
import type { Found } from "../finding.ts"

/** Parts between two pauses: a pause costs more than a look at most of them. */
const stretch = 32

/** What is found in all of the parts, with pauses. */
export function* each<Part>(
  parts: readonly Part[],
  find: (part: Part, index: number) => readonly Found[],
): Iterable<Found | undefined> {
  for (const [index, part] of parts.entries()) {
    for (const found of find(part, index)) yield found
    if (index % stretch === 0) yield undefined
  }
}

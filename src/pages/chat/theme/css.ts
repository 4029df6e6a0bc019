/** Checks CSS values of authors: only what the property accepts may get into a style. */

/** Returns the value if it is valid for the property, otherwise undefined. */
export function cssValue(
  property: "color" | "max-width" | "aspect-ratio",
  value: string | undefined,
): string | undefined {
  return value && CSS.supports(property, value) && !foreign.test(value) ? value : undefined
}

/** An address, a variable or the end of a declaration. */
const foreign = /url\s*\(|var\s*\(|env\s*\(|[;{}<>\\]/i

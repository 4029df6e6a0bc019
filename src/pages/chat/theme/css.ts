/** Checks CSS values of authors: only what the property accepts may get into a style. */

/** Returns the value if it is valid for the property, otherwise undefined. */
export function cssValue(
  property: "color" | "max-width" | "aspect-ratio",
  value: string | undefined,
): string | undefined {
  return value && CSS.supports(property, value) && isPlain(value) ? value : undefined
}

/** Whether a value has no address, no variable and no end of a declaration. */
function isPlain(value: string): boolean {
  return !/url\s*\(|var\s*\(|env\s*\(|[;{}<>\\]/i.test(value)
}

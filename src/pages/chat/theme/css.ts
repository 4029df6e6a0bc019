/** Judges values that authors give for CSS: only what its property takes may come near a style. */

/** Returns a width or height, or undefined when the value is not one. */
export function cssLength(value: string | undefined): string | undefined {
  return value && CSS.supports("max-width", value) && isPlain(value) ? value : undefined
}

/** Returns a ratio such as 16/9, or undefined when the value is not one. */
export function cssRatio(value: string | undefined): string | undefined {
  return value && CSS.supports("aspect-ratio", value) && isPlain(value) ? value : undefined
}

/** Returns a colour, or undefined when the value is not one. */
export function cssColor(value: string | undefined): string | undefined {
  return value && CSS.supports("color", value) && isPlain(value) ? value : undefined
}

/** No address, no variable of ours, no end of a declaration. */
function isPlain(value: string): boolean {
  return !/url\s*\(|var\s*\(|env\s*\(|[;{}<>\\]/i.test(value)
}

/** Judges values that authors give for CSS: only what its property takes may come near a style. */

/** A width or height; undefined when it is none. */
export function cssLength(value: string | undefined): string | undefined {
  return value && CSS.supports("max-width", value) && isPlain(value) ? value : undefined
}

/** A shape such as 16/9; undefined when it is none. */
export function cssRatio(value: string | undefined): string | undefined {
  return value && CSS.supports("aspect-ratio", value) && isPlain(value) ? value : undefined
}

/** A colour; undefined when it is none. */
export function cssColor(value: string | undefined): string | undefined {
  return value && CSS.supports("color", value) && isPlain(value) ? value : undefined
}

/** No address, no variable of ours, no end of a declaration. */
function isPlain(value: string): boolean {
  return !/url\s*\(|var\s*\(|env\s*\(|[;{}<>\\]/i.test(value)
}

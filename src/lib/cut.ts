/** Cuts names that an answer repeats, so that long ones do not multiply its size. */

/** How much of a name (of a group, a label, a variable) is shown where it is only mentioned. */
export const mentionLength = 100

/**
 * The text, or its beginning and "…" when it is longer than so many characters (UTF-16 units). Half a
 * surrogate pair is never left over.
 */
export function cut(text: string, length = mentionLength): string {
  if (text.length <= length) return text
  const end = length - 1
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? "")
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`
}

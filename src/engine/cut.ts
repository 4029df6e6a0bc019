/** Cuts texts that are told again, so that no answer grows with the length of a name times its uses. */

/** What a reader needs of a name (a title, a label, a variable) where it is only mentioned. */
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

/** Compares words of people: in any case, with letters and their accents in one character or in two. */

/** A text in lower case, in composed form (NFC). */
export function foldCase(text: string): string {
  return text.toLowerCase().normalize()
}

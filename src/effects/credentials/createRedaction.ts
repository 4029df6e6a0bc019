/** Redacts secrets from texts in which another server may repeat them. */

/** Shorter ones occur in ordinary words. */
export const minWordLength = 4

/** Replaces words, and their forms in addresses and in JSON, in any number of texts. */
export function createRedaction(words: readonly string[], mask: string): (text: string) => string {
  const forms = words
    .filter((word) => word.length >= minWordLength)
    .flatMap((word) => [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1)])
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((left, form) => left.replaceAll(form, mask), text)
}

/** Redacts secrets from texts in which another server may repeat them. */
import { escapeHtml } from "../../engine/variables/interpolate.ts"
import { base64Parts } from "./base64Parts.ts"

/** Shorter ones occur in ordinary words. */
export const minWordLength = 4

/** Shorter parts occur in any picture. */
const minPartLength = 6

/** Replaces words in any number of texts, and their forms in addresses, forms, JSON, HTML and base64. */
export function createRedaction(words: readonly string[], mask: string): (text: string) => string {
  const forms = words.filter((word) => word.length >= minWordLength).flatMap(formsOf)
  const longestFirst = [...new Set(forms)].sort((one, other) => other.length - one.length)
  const redact = (text: string) =>
    longestFirst.reduce((left, form) => left.replaceAll(form, mask), text)
  return (text) => {
    if (!/\\[u/]/.test(text)) return redact(text)
    // Writers of JSON may escape any character.
    const plain = withoutNeedlessEscapes(text)
    const redacted = redact(plain)
    return redacted === plain ? redact(text) : redacted
  }
}

function formsOf(word: string): string[] {
  const inAddress = [
    encodeURIComponent(word),
    new URLSearchParams([["", word]]).toString().slice(1),
  ]
  const lowerCase = inAddress.map((form) => form.replace(/%../g, (code) => code.toLowerCase()))
  const parts = base64Parts(word).flatMap(({ part }) => (part.length < minPartLength ? [] : [part]))
  const ofAddresses = parts.map((part) => part.replaceAll("+", "-").replaceAll("/", "_"))
  const escaped = [JSON.stringify(word).slice(1, -1), escapeHtml(word)]
  return [word, ...inAddress, ...lowerCase, ...escaped, ...parts, ...ofAddresses]
}

/** JSON with only those characters escaped that must be. */
function withoutNeedlessEscapes(json: string): string {
  return json.replace(/\\(?:u([0-9a-f]{4})|.)/gis, (escaped, code?: string) => {
    if (code === undefined) return escaped === "\\/" ? "/" : escaped
    const character = String.fromCharCode(Number.parseInt(code, 16))
    const isNeeded = character < " " || character === '"' || character === "\\"
    return isNeeded ? JSON.stringify(character).slice(1, -1) : character
  })
}

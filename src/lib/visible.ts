/** Makes untrusted text safe for a terminal: it cannot command it or reverse its lines. */
/** Control characters except newlines and tabs, and characters that change the direction of text. */
const hidden = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu

/** The text with each such character as its JSON escape, which does not change the meaning of JSON. */
export function visible(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(hidden, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)
}
